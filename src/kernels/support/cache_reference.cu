#ifdef KPROF_WITH_CUDA
#include "kernels/support/cache_table.cuh"
#include "kernels/support/device.cuh"
#include "kernels/support/elementwise_reference.cuh"

namespace kprof {

constexpr int reference_threads = 256;

// sums[b]: the sum of x[b * size ... ], as far as there is any.
__global__ void expect_set_sums(const float* x, std::int64_t n, std::int64_t size, double* sums) {
    __shared__ double warp_sums[reference_threads / warp_size];
    const std::int64_t first = blockIdx.x * size;
    double sum = 0;
    for (std::int64_t i = first + threadIdx.x; i < first + size && i < n; i += reference_threads) {
        sum += static_cast<double>(x[i]);
    }
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// Block b has read chunk b, the next one, ... once each, `passes` chunks in all, and around again at the end:
// all chunks as often as they were passed whole, and the rest one by one.
struct RoundSum {
    const double* chunks;
    std::int64_t count, passes;
    __device__ double operator()(std::int64_t block) const {
        double all = 0, rest = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            all += chunks[i];
            if ((i - block + count) % count < passes % count) rest += chunks[i];
        }
        return all * static_cast<double>(passes / count) + rest;
    }
};

void l2_sums_reference(const ReferenceCall& call) {
    const std::int64_t n = call.call.extent[0], chunks = (n + l2_chunk - 1) / l2_chunk;
    if (call.first) {
        expect_set_sums<<<static_cast<unsigned>(chunks), reference_threads>>>(call.call.as<const float>(0), n,
                                                                              l2_chunk, call.scratch);
        check_launch("expect_set_sums");
    }
    expect_each(call, chunks, RoundSum{call.scratch, chunks, call.call.extent[1]});
}

struct RepeatedSum {
    const double* sum;
    double passes;
    __device__ double operator()(std::int64_t) const { return *sum * passes; }
};

void l1_sums_reference(const ReferenceCall& call) {
    const std::int64_t n = call.call.extent[0];
    if (call.first) {
        expect_set_sums<<<1, reference_threads>>>(call.call.as<const float>(0), n, n, call.scratch);
        check_launch("expect_set_sums");
    }
    expect_each(call, l1_blocks, RepeatedSum{call.scratch, static_cast<double>(call.call.extent[1])});
}

__device__ const Table reference_table = make_table();

struct PolynomialOfTable {
    const float* x;
    std::int64_t lookups;
    __device__ double operator()(std::int64_t i) const {
        double y = 0;
        for (std::int64_t k = 0; k < lookups; ++k) {
            y = y * static_cast<double>(x[i]) + static_cast<double>(reference_table.at[i % table_starts + k]);
        }
        return y;
    }
};

void table_reference(const ReferenceCall& call) {
    expect_each(call, call.call.extent[0],
                PolynomialOfTable{call.call.as<const float>(0), call.call.extent[1]});
}

}  // namespace kprof
#endif
