// Every block sums the same 64 KiB 512 times over: each SM keeps them in its L1, and the bandwidth of L1 is
// the limit.
#include "kernels/support/cache_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#endif

namespace kprof {
namespace {

constexpr std::int64_t threads = 256;

std::int64_t blocks(const Call& /*call*/) {
    return l1_blocks;
}

double flops(const Call& call) {
    return static_cast<double>(l1_blocks) * static_cast<double>(call.extent[0]) *
           static_cast<double>(call.extent[1]);
}

double min_bytes(const Call& call) {
    return 4 * static_cast<double>(call.extent[0] + l1_blocks);
}

Geometry geometry(const Call& /*call*/) {
    Geometry g = line_geometry(l1_blocks * threads, threads);
    g.smem_static = threads / 32 * 4;
    return g;
}

// All sums are equal: one pass over the set serves every group.
double sum_cost(const Call& call) {
    return static_cast<double>(call.extent[0]) / static_cast<double>(l1_blocks) + 1;
}

std::int64_t one(const Call& /*call*/) {
    return 1;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    cache_l1_resident(const float4* x, float* sums, int set_vectors, std::int64_t passes) {
    __shared__ float warp_sums[threads / warp_size];
    float sum = 0;
    for (std::int64_t pass = 0; pass < passes; ++pass) {
#pragma unroll 4
        for (int i = threadIdx.x; i < set_vectors; i += threads) sum += sum_of(x[i]);
    }
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    cache_l1_resident<<<grid_of(g), block_of(g)>>>(call.as<const float4>(0), call.as<float>(1),
                                                   static_cast<int>(call.extent[0] / 4), call.extent[1]);
    check_launch("cache_l1_resident");
}
#endif

static Variant variant() {
    Variant v = cache_sums_variant();
    v.name = "l1-resident";
    v.title = "a set of 64 KiB read again and again from each L1";
    v.default_shape = {std::int64_t{1} << 14, 512};
    v.expected = "at_limit:l1";
    v.rung = 2;
    v.buffers.push_back({"sums", blocks, Element::of_call, Role::output});
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.geometry = geometry;
    v.group_cost = sum_cost;
    v.reference_scratch = one;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.reference = l1_sums_reference;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
