#include "kernels/support/byte_transpose.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/geometry.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof {

constexpr int tile = 32;

__global__ void transpose_bytes_kernel(const unsigned char* from, unsigned char* to, std::int64_t rows,
                                       std::int64_t columns) {
    __shared__ unsigned char bytes[tile][tile + 4];  // 4 more: the columns read below lie in 32 banks
    const std::int64_t row = (static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * tile;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * tile;
    if (row + threadIdx.y < rows && column + threadIdx.x < columns) {
        bytes[threadIdx.y][threadIdx.x] = from[(row + threadIdx.y) * columns + column + threadIdx.x];
    }
    __syncthreads();
    if (column + threadIdx.y < columns && row + threadIdx.x < rows) {
        to[(column + threadIdx.y) * rows + row + threadIdx.x] = bytes[threadIdx.x][threadIdx.y];
    }
}

void transpose_bytes(const void* from, void* to, std::int64_t rows, std::int64_t columns) {
    const Geometry g = tile_geometry(rows, columns, tile, tile, tile, tile, 0);
    transpose_bytes_kernel<<<grid_of(g), block_of(g)>>>(static_cast<const unsigned char*>(from),
                                                        static_cast<unsigned char*>(to), rows, columns);
    check_launch("transpose_bytes");
}

}  // namespace kprof
#endif
