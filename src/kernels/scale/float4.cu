// out = factor * a in FP32, in vectors of 16 bytes, several of them on their way per thread: a read and a
// write for one multiplication, so memory is the limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/stream.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return vector_geometry(call.extent[0] * 4);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void scale_float4(const float* a, float* out, float factor, std::int64_t n) {
    stream(
        n, out, [factor](float x) { return factor * x; }, a);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    scale_float4<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1), stream_factor,
                                              call.extent[0]);
    check_launch("scale_float4");
}
#endif

static Variant variant() {
    Variant v = scale_variant();
    v.name = "float4";
    v.title = "out = factor * a, 16-byte vectors";
    v.expected = "at_limit:dram";
    v.rung = 2;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
