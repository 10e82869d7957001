// Each lane looks up its own coefficient in constant memory, whose cache serves one address at a time to a
// whole warp: 32 neighbouring coefficients take 32 turns.
#include "kernels/support/cache_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/cache_table.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return line_geometry(call.extent[0], 256);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__constant__ const Table constant_table = make_table();

__global__ void cache_constant_divergent(const float* x, float* y, std::int64_t n, int lookups) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* coefficient = constant_table.at + i % table_starts;
    const float at = x[i];
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < lookups; ++k) sum = sum * at + coefficient[k];
    y[i] = sum;
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    cache_constant_divergent<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1),
                                                          call.extent[0], static_cast<int>(call.extent[1]));
    check_launch("cache_constant_divergent");
}
#endif

static Variant variant() {
    Variant v = cache_table_variant();
    v.name = "constant-divergent";
    v.title = "a table in constant memory, another address in each lane";
    v.expected = "constant_cache";
    v.twin = "constant-shared";
    v.rung = 3;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
