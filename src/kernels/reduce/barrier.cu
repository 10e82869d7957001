// Each thread adds four numbers, then the block adds its 1024 sums as a tree in shared memory, with a barrier
// after each reading and each writing, as cautious code does: twenty barriers, at which 32 warps wait for
// each other while hardly any of them has work left.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/reduce_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 1024;
constexpr std::int64_t tile = 4 * threads;

std::int64_t partial_count(const Call& call) {
    return partial_sums(call.extent[0], tile);
}

int launches(const Call& call) {
    return reduce_levels(call.extent[0], tile);
}

Geometry geometry_for(std::int64_t n) {
    Geometry g = line_geometry((n + 3) / 4, threads);
    g.smem_static = threads * 4;
    return g;
}

Geometry geometry(const Call& call) {
    return geometry_for(call.extent[0]);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads) reduce_barrier(const float* x, float* sums, std::int64_t n) {
    __shared__ float tree[threads];
    const int t = static_cast<int>(threadIdx.x);
    tree[t] = sum_of(four_at(x, static_cast<std::int64_t>(blockIdx.x) * threads + t, n));
    __syncthreads();
#pragma unroll
    for (int half = threads / 2; half > 0; half /= 2) {
        float other = 0;
        if (t < half) other = tree[t + half];
        __syncthreads();
        if (t < half) tree[t] += other;
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = tree[0];
}

static void launch(const Call& call) {
    for_each_level(call, tile, [](const float* from, float* to, std::int64_t count) {
        const Geometry g = geometry_for(count);
        reduce_barrier<<<grid_of(g), block_of(g)>>>(from, to, count);
        check_launch("reduce_barrier");
    });
}
#endif

static Variant variant() {
    Variant v = reduce_variant();
    v.name = "barrier";
    v.title = "a tree in shared memory, two barriers a step";
    v.expected = "barriers";
    v.twin = "shuffle";
    v.rung = 1;
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
