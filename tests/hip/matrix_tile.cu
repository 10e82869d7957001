// A product of one tile by support/matrix_tile.cuh, with the portable helpers of device.cuh beside it:
// compiled for AMD by KPROF_HIP=ON, whose test looks for the matrix instructions.
#include "kernels/support/matrix_tile.cuh"

namespace kprof {

template <typename T>
__device__ inline void product(const T* a, const T* b, float* c, unsigned n, unsigned k) {
    ProductTile sum;
    sum.clear();
    for (unsigned at = 0; at < k; at += matrix_tile) {
        LeftTile<T> left;
        RightTile<T> right;
        left.load(a + at, k);
        right.load(b + at * n, n);
        sum.add(left, right);
    }
    sum.store(c, n);
}

__global__ void tile_bf16(const bf16* a, const bf16* b, float* c, unsigned n, unsigned k) {
    product(a, b, c, n, k);
}

__global__ void tile_fp16(const fp16* a, const fp16* b, float* c, unsigned n, unsigned k) {
    product(a, b, c, n, k);
}

__global__ void softmax_row(const bf16* x, bf16* y, int n) {
    __shared__ float shared[1024 / warp_size];
    const int i = static_cast<int>(threadIdx.x);
    const float value = i < n ? to_float(x[i]) : -1e30F;
    const float largest = block_max(value, shared);
    const float e = i < n ? __expf(value - largest) : 0.0F;
    const float sum = block_sum(e, shared);
    if (i < n) y[i] = from_float<bf16>(e / sum);
}

}  // namespace kprof
