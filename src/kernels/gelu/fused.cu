// GELU in one kernel, one element per thread: every intermediate result stays in a register. One read and one
// write remain; but one element a thread is too little on its way to hide the latency of DRAM.
#include "kernels/support/gelu_family.hpp"
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/gelu.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T>
__global__ void gelu_fused(const T* x, T* out, std::int64_t n) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = from_float<T>(Gelu()(to_float(x[i])));
}

template <typename T>
static void launch_of(const Call& call) {
    const Geometry g = scalar_geometry(call);
    gelu_fused<<<grid_of(g), block_of(g)>>>(call.as<const T>(gelu_in), call.as<T>(gelu_out), call.extent[0]);
    check_launch("gelu_fused");
}

static void launch(const Call& call) {
    if (call.dtype == DType::bf16) return launch_of<bf16>(call);
    launch_of<float>(call);
}
#endif

static Variant variant() {
    Variant v = gelu_variant();
    v.name = "fused";
    v.title = "GELU in one kernel, one element per thread";
    v.expected = "latency";
    v.twin = "fused-vectorised";
    v.rung = 2;
    v.geometry = scalar_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
