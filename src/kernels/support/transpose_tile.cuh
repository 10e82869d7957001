// The transpose through a tile in shared memory: rows are read and rows are written, both coalesced, and the
// turn happens on the chip. `padding` is the number of columns that widen the tile. Without any, the 32
// elements of a column lie in one bank, and reading a column takes 32 turns; one more column moves each row
// on by a bank.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/transpose_family.hpp"

namespace kprof {

template <int padding>
__device__ inline void transpose_through_tile(const float* in, float* out, std::int64_t rows,
                                              std::int64_t columns) {
    __shared__ float tile[transpose_tile][transpose_wide + padding];
    const std::int64_t tile_row =
        (static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * transpose_tile;
    const std::int64_t tile_column = static_cast<std::int64_t>(blockIdx.x) * transpose_wide;
    const int x = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int y = threadIdx.y; y < transpose_tile; y += transpose_rows) {
#pragma unroll
        for (int wide = x; wide < transpose_wide; wide += transpose_tile) {
            const std::int64_t row = tile_row + y, column = tile_column + wide;
            if (row < rows && column < columns) tile[y][wide] = in[row * columns + column];
        }
    }
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < transpose_wide; y += transpose_rows) {
        const std::int64_t row = tile_column + y, column = tile_row + x;  // of the transpose
        if (row < columns && column < rows) out[row * rows + column] = tile[x][y];
    }
}

}  // namespace kprof
