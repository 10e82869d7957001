// out = a + b, one vector of 16 bytes of each a thread: two reads and a write for one addition, so memory is
// the limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"
#include "kernels/support/vector_map.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/vector_map.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return map_geometry(call.extent[0], call.dtype);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// In BF16 the sum is formed in FP32, where it is exact for numbers in [-1, 1), and rounded once.
template <typename T>
__global__ void add_float4(const T* a, const T* b, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x, float y) { return x + y; }, a, b);
}

template <typename T>
static void launch_as(const Call& call) {
    const Geometry g = geometry(call);
    add_float4<<<grid_of(g), block_of(g)>>>(call.as<const T>(0), call.as<const T>(1), call.as<T>(2),
                                            call.extent[0]);
    check_launch("add_float4");
}

static void launch(const Call& call) {
    if (call.dtype == DType::bf16) {
        launch_as<bf16>(call);
    } else {
        launch_as<float>(call);
    }
}
#endif

static Variant variant() {
    Variant v = add_variant();
    v.name = "float4";
    v.title = "out = a + b, 16-byte vectors";
    v.dtypes = {DType::fp32, DType::bf16};
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
