// out = a + factor * b in FP32, one element per thread. Coalesced, but two loads of 4 bytes a thread keep 16
// KB of an SM on their way where the latency of DRAM needs 30: waiting, not bandwidth, is the limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void triad_scalar(const float* a, const float* b, float* out, float factor, std::int64_t n) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + factor * b[i];
}

static void launch(const Call& call) {
    const Geometry g = scalar_geometry(call);
    triad_scalar<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<const float>(1),
                                              call.as<float>(2), stream_factor, call.extent[0]);
    check_launch("triad_scalar");
}
#endif

static Variant variant() {
    Variant v = triad_variant();
    v.name = "scalar";
    v.title = "out = a + factor * b, one element per thread";
    v.expected = "latency";
    v.twin = "float4";
    v.rung = 3;
    v.geometry = scalar_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
