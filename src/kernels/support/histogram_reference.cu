#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/histogram_family.hpp"

namespace kprof {

__global__ void write_random_keys(unsigned* keys, std::int64_t n) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        keys[i] = static_cast<unsigned>(mixed(static_cast<unsigned long long>(i)) >> 32);
    }
}

void histogram_prepare(const Call& call) {
    write_random_keys<<<2048, 256>>>(call.as<unsigned>(histogram_keys), call.extent[0]);
    check_launch("write_random_keys");
}

__global__ void clear_histogram(unsigned* counts) {
    counts[threadIdx.x] = 0;
}

void clear_counts(const Call& call) {
    clear_histogram<<<1, histogram_bins>>>(call.as<unsigned>(histogram_counts));
    check_launch("clear_histogram");
}

// Row y of the grid counts the keys of bin groups[y]. Counts are whole numbers, which FP64 adds exactly.
__global__ void expect_counts(const unsigned* keys, std::int64_t n, const std::int64_t* groups,
                              double* expected) {
    __shared__ double warp_sums[256 / warp_size];
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    const auto bin = static_cast<unsigned>(groups[blockIdx.y]);
    unsigned count = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        count += keys[i] / (1U << histogram_shift) == bin ? 1 : 0;
    }
    const double sum = block_sum<double>(count, warp_sums);
    if (threadIdx.x == 0) atomicAdd(expected + blockIdx.y, sum);
}

__global__ void clear_expected(double* expected) {
    expected[threadIdx.x] = 0;
}

void histogram_reference(const ReferenceCall& call) {
    const auto bins = static_cast<unsigned>(call.count);
    clear_expected<<<1, bins>>>(call.expected);
    expect_counts<<<dim3(512, bins), 256>>>(call.call.as<const unsigned>(histogram_keys), call.call.extent[0],
                                            call.groups, call.expected);
    check_launch("expect_counts");
}

}  // namespace kprof
#endif
