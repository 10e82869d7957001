// The kernel of gemm/tiled with the tile of B stored transposed, so that both operands are read along k. The
// 32 columns that a warp reads then lie 32 words apart, all in the same banks: each read is served piece by
// piece.
#include "kernels/support/gemm_family.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof {
namespace {

constexpr int tile = 32;
constexpr int smem_bytes = 2 * tile * tile * static_cast<int>(sizeof(float));

Geometry geometry(const GemmCall& call) {
    return tile_geometry(call.m, call.n, tile, tile, tile, tile, smem_bytes);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void gemm_tiled_conflict(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];  // [column][row]
    const unsigned row = (blockIdx.z * gridDim.y + blockIdx.y) * tile + threadIdx.y;
    const unsigned col = blockIdx.x * tile + threadIdx.x;
    const bool row_inside = row < static_cast<unsigned>(m);
    const bool col_inside = col < static_cast<unsigned>(n);
    const float* a_row = a + static_cast<std::size_t>(row) * k;
    const float* b_col = b + col;
    float sum = 0;
    // Unsigned: k + 31 may pass 2^31.
    for (unsigned start = 0; start < static_cast<unsigned>(k); start += tile) {
        // Beyond an edge the tiles hold zeros, which add nothing.
        const unsigned a_col = start + threadIdx.x, b_row = start + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] =
            row_inside && a_col < static_cast<unsigned>(k) ? a_row[a_col] : 0.0F;
        b_tile[threadIdx.x][threadIdx.y] = col_inside && b_row < static_cast<unsigned>(k)
                                               ? b_col[static_cast<std::size_t>(b_row) * n]
                                               : 0.0F;
        __syncthreads();
        // a_tile is a broadcast; of b_tile the warp reads one column: 32 rows of 32 words, one bank.
#pragma unroll
        for (int i = 0; i < tile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[threadIdx.x][i];
        __syncthreads();
    }
    if (row_inside && col_inside) c[static_cast<std::size_t>(row) * n + col] = sum;
}

static void launch(const GemmCall& call) {
    const Geometry g = geometry(call);
    gemm_tiled_conflict<<<grid_of(g), block_of(g)>>>(static_cast<const float*>(call.a),
                                                     static_cast<const float*>(call.b),
                                                     static_cast<float*>(call.c), call.m, call.n, call.k);
    check_launch("gemm_tiled_conflict");
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "tiled-conflict";
    v.title = "32x32 tiles in shared memory, that of B transposed and read across banks, FP32";
    v.dtypes = {DType::fp32};
    v.expected = "bank_conflicts";
    v.twin = "tiled";
    v.rung = 3;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
