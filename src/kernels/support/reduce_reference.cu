#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/reduce_family.hpp"

namespace kprof {

constexpr int reference_threads = 256, reference_blocks = 2048;  // as many doubles of scratch

__global__ void make_positive(float* x, std::int64_t n) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        x[i] = fabsf(x[i]);
    }
}

void reduce_prepare(const Call& call) {
    make_positive<<<2048, 256>>>(call.as<float>(reduce_in), call.extent[0]);
    check_launch("make_positive");
}

template <typename T>
__global__ void expect_sums(const T* x, std::int64_t n, double* sums) {
    __shared__ double warp_sums[reference_threads / warp_size];
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    double sum = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        sum += static_cast<double>(x[i]);
    }
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void reduce_reference(const ReferenceCall& call) {
    expect_sums<<<reference_blocks, reference_threads>>>(call.call.as<const float>(reduce_in),
                                                         call.call.extent[0], call.scratch);
    expect_sums<<<1, reference_threads>>>(call.scratch, reference_blocks, call.expected);
    check_launch("expect_sums");
}

__global__ void sum_atomic_sums(const float* sums, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < atomic_sums; i += warp_size) sum += sums[i * floats_between_sums];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}

void add_atomic_sums(const Call& call) {
    sum_atomic_sums<<<1, warp_size>>>(call.as<const float>(reduce_partial), call.as<float>(reduce_out));
    check_launch("sum_atomic_sums");
}

}  // namespace kprof
#endif
