// Each thread adds four numbers, then the lanes of a warp add theirs by shuffles: no shared memory and no
// barrier, but for one when the warps of the block add up theirs. DRAM is the limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/reduce_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;
constexpr std::int64_t tile = 4 * threads;

std::int64_t partial_count(const Call& call) {
    return partial_sums(call.extent[0], tile);
}

int launches(const Call& call) {
    return reduce_levels(call.extent[0], tile);
}

Geometry geometry_for(std::int64_t n) {
    Geometry g = line_geometry((n + 3) / 4, threads);
    g.smem_static = threads / 32 * 4;
    return g;
}

Geometry geometry(const Call& call) {
    return geometry_for(call.extent[0]);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads) reduce_shuffle(const float* x, float* sums, std::int64_t n) {
    __shared__ float warp_sums[threads / warp_size];
    const int t = static_cast<int>(threadIdx.x);
    float sum = warp_sum(sum_of(four_at(x, static_cast<std::int64_t>(blockIdx.x) * threads + t, n)));
    if (t % warp_size == 0) warp_sums[t / warp_size] = sum;
    __syncthreads();
    if (t != 0) return;
    sum = 0;
#pragma unroll
    for (int warp = 0; warp < threads / warp_size; ++warp) sum += warp_sums[warp];
    sums[blockIdx.x] = sum;
}

static void launch(const Call& call) {
    for_each_level(call, tile, [](const float* from, float* to, std::int64_t count) {
        const Geometry g = geometry_for(count);
        reduce_shuffle<<<grid_of(g), block_of(g)>>>(from, to, count);
        check_launch("reduce_shuffle");
    });
}
#endif

static Variant variant() {
    Variant v = reduce_variant();
    v.name = "shuffle";
    v.title = "warp shuffles, one barrier a block";
    v.expected = "at_limit:dram";
    v.rung = 2;
    v.is_default = true;
    v.buffers.push_back({"partial sums", partial_count, Element::fp32, Role::scratch});
    v.geometry = geometry;
    v.launches = launches;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
