// Sums over a set of 16 MiB, read 512 times: L2 holds all of it (also where each half of a chip's L2 keeps a
// copy of what the other half owns), L1 is passed by, and the bandwidth of L2 is the limit.
#include "kernels/support/cache_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#include "kernels/support/memory_hints.cuh"
#endif

namespace kprof {
namespace {

constexpr std::int64_t threads = 256;
constexpr int vectors = l2_chunk / 4 / threads;  // of a thread and pass
// All blocks of the default set are on the chip at once (8 an SM, 1056 on an H200).
constexpr int blocks_per_sm = 8;

std::int64_t chunks(const Call& call) {
    return (call.extent[0] + l2_chunk - 1) / l2_chunk;
}

// In each pass the blocks together read all of the set.
double flops(const Call& call) {
    return static_cast<double>(call.extent[0]) * static_cast<double>(call.extent[1]);
}

double min_bytes(const Call& call) {
    return 4 * static_cast<double>(call.extent[0] + chunks(call));
}

Geometry geometry(const Call& call) {
    Geometry g = line_geometry(chunks(call) * threads, threads);
    g.smem_static = threads / 32 * 4;
    return g;
}

double sum_cost(const Call& call) {
    return static_cast<double>(chunks(call)) + static_cast<double>(l2_chunk);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// A block reads another chunk in each pass, so that all of the set is in use all the time.
__global__ void __launch_bounds__(threads, blocks_per_sm)
    cache_l2_resident(const float4* x, float* sums, std::int64_t set_vectors, std::int64_t passes) {
    __shared__ float warp_sums[threads / warp_size];
    float sum = 0;
    unsigned chunk = blockIdx.x;
#pragma unroll 1  // the loads of one pass are enough on their way, and registers for more would spill
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        const std::int64_t first = chunk * (l2_chunk / 4) + threadIdx.x;
        float4 v[vectors];
#pragma unroll
        for (int k = 0; k < vectors; ++k) {
            const std::int64_t i = first + k * threads;
            v[k] = i < set_vectors ? load_from_l2(x + i) : make_float4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < vectors; ++k) sum += sum_of(v[k]);
        chunk = chunk + 1 < gridDim.x ? chunk + 1 : 0;
    }
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    cache_l2_resident<<<grid_of(g), block_of(g)>>>(call.as<const float4>(0), call.as<float>(1),
                                                   call.extent[0] / 4, call.extent[1]);
    check_launch("cache_l2_resident");
}
#endif

static Variant variant() {
    Variant v = cache_sums_variant();
    v.name = "l2-resident";
    v.title = "a set of 16 MiB read again and again from L2";
    v.default_shape = {std::int64_t{1} << 22, 512};
    v.expected = "at_limit:l2";
    v.rung = 1;
    v.is_default = true;
    v.buffers.push_back({"sums", chunks, Element::of_call, Role::output});
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.geometry = geometry;
    v.group_cost = sum_cost;
    v.reference_scratch = chunks;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.reference = l2_sums_reference;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
