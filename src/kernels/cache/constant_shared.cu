// The same lookups as constant-divergent in a copy of the table in shared memory: neighbouring lanes find
// neighbouring coefficients in different banks, all in one turn, and the bandwidth of shared memory is the
// limit.
#include "kernels/support/cache_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/cache_table.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    Geometry g = line_geometry(call.extent[0], 256);
    g.smem_static = table_size * 4;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__device__ const Table global_table = make_table();

__global__ void cache_constant_shared(const float* x, float* y, std::int64_t n, int lookups) {
    __shared__ float table[table_size];
    for (int k = threadIdx.x; k < table_size; k += blockDim.x) table[k] = global_table.at[k];
    __syncthreads();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* coefficient = table + i % table_starts;
    const float at = x[i];
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < lookups; ++k) sum = sum * at + coefficient[k];
    y[i] = sum;
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    cache_constant_shared<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1),
                                                       call.extent[0], static_cast<int>(call.extent[1]));
    check_launch("cache_constant_shared");
}
#endif

static Variant variant() {
    Variant v = cache_table_variant();
    v.name = "constant-shared";
    v.title = "the same table in shared memory";
    v.expected = "at_limit:smem";
    v.rung = 4;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
