// out = a, one vector of 16 bytes a thread: as much of the DRAM bandwidth as the driver's own copy gets.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/stream.cuh"
#endif

namespace kprof {
namespace {

std::int64_t bytes_of(const Call& call) {
    return call.extent[0] * static_cast<std::int64_t>(size_of(call.dtype));
}

Geometry geometry(const Call& call) {
    return vector_geometry(bytes_of(call));
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// Whatever the elements are, they move as if they were floats; an odd number of 2-byte elements leaves one.
__global__ void copy_float4(const float* a, float* out, std::int64_t bytes) {
    const std::int64_t words = bytes / 4;
    stream(
        words, out, [](float x) { return x; }, a);
    if (bytes % 4 != 0 && blockIdx.x == 0 && threadIdx.x == 0) {
        reinterpret_cast<unsigned short*>(out)[words * 2] =
            reinterpret_cast<const unsigned short*>(a)[words * 2];
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    copy_float4<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1), bytes_of(call));
    check_launch("copy_float4");
}
#endif

static Variant variant() {
    Variant v = copy_variant();
    v.name = "float4";
    v.title = "out = a, 16-byte vectors";
    v.dtypes = {DType::fp32, DType::bf16, DType::fp16, DType::fp64};
    v.expected = "at_limit:dram";
    v.rung = 4;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
