// The block adds up its 1024 numbers by shuffles first, and then one thread adds the result to one of the 64
// sums: an atomic addition for every 1024 numbers, and DRAM is the limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/reduce_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;

Geometry geometry(const Call& call) {
    Geometry g = line_geometry((call.extent[0] + 3) / 4, threads);
    g.smem_static = threads / 32 * 4;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads) reduce_atomic_block(const float* x, float* sums, std::int64_t n) {
    __shared__ float warp_sums[threads / warp_size];
    const int t = static_cast<int>(threadIdx.x);
    float sum = warp_sum(sum_of(four_at(x, static_cast<std::int64_t>(blockIdx.x) * threads + t, n)));
    if (t % warp_size == 0) warp_sums[t / warp_size] = sum;
    __syncthreads();
    if (t != 0) return;
    sum = 0;
#pragma unroll
    for (int warp = 0; warp < threads / warp_size; ++warp) sum += warp_sums[warp];
    atomicAdd(sums + blockIdx.x % atomic_sums * floats_between_sums, sum);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    reduce_atomic_block<<<grid_of(g), block_of(g)>>>(call.as<const float>(reduce_in),
                                                     call.as<float>(reduce_partial), call.extent[0]);
    check_launch("reduce_atomic_block");
    add_atomic_sums(call);
}
#endif

static Variant variant() {
    Variant v = reduce_variant();
    v.name = "atomic-block";
    v.title = "one atomic addition a block, to 64 sums";
    v.expected = "at_limit:dram";
    v.rung = 4;
    v.tolerance = 1e-4;  // thousands of steps to one sum, each rounded at the size that it has reached
    v.buffers.push_back({"sums", atomic_sum_count, Element::fp32, Role::zeroed});
    v.geometry = geometry;
    v.launches = atomic_launches;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
