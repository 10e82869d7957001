// GELU in one kernel, in vectors of 16 bytes: a quarter of the requests, and enough bytes on their way at any
// time that memory never waits. At memory's limit.
#include "kernels/support/gelu_family.hpp"
#include "kernels/support/launch_check.hpp"
#include "kernels/support/vector_map.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/gelu.cuh"
#include "kernels/support/vector_map.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return map_geometry(call.extent[0], call.dtype);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <typename T>
__global__ void gelu_fused_vectorised(const T* x, T* out, std::int64_t n) {
    map_vectors(n, out, Gelu(), x);
}

template <typename T>
static void launch_of(const Call& call) {
    const Geometry g = geometry(call);
    gelu_fused_vectorised<<<grid_of(g), block_of(g)>>>(call.as<const T>(gelu_in), call.as<T>(gelu_out),
                                                       call.extent[0]);
    check_launch("gelu_fused_vectorised");
}

static void launch(const Call& call) {
    if (call.dtype == DType::bf16) return launch_of<bf16>(call);
    launch_of<float>(call);
}
#endif

static Variant variant() {
    Variant v = gelu_variant();
    v.name = "fused-vectorised";
    v.title = "GELU in one kernel, 16-byte vectors";
    v.expected = "at_limit:dram";
    v.rung = 3;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
