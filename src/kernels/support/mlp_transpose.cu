// A matrix turned round, by way of tiles in shared memory.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/mlp_library.hpp"

namespace kprof {

constexpr unsigned edge = 32;

__global__ void mlp_transpose_kernel(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
    __shared__ float tile[edge][edge + 1];  // the column more keeps columns out of one bank
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * edge, column = blockIdx.y * edge;
    for (unsigned i = threadIdx.y; i < edge; i += blockDim.y) {
        if (row + i < rows && column + threadIdx.x < columns) {
            tile[i][threadIdx.x] = from[(row + i) * columns + column + threadIdx.x];
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.y; i < edge; i += blockDim.y) {
        if (column + i < columns && row + threadIdx.x < rows) {
            to[(column + i) * rows + row + threadIdx.x] = tile[threadIdx.x][i];
        }
    }
}

void mlp_transpose(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
    // Rows on x: there may be more of them than y takes. Columns are at most 65,536.
    const dim3 grid(static_cast<unsigned>((rows + edge - 1) / edge),
                    static_cast<unsigned>((columns + edge - 1) / edge));
    mlp_transpose_kernel<<<grid, dim3(edge, 8)>>>(from, rows, columns, to);
    check_launch("mlp_transpose");
}

}  // namespace kprof
#endif
