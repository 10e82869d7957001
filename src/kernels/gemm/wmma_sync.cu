// One warp per 16 × 16 tile of C on the tensor cores, each fragment loaded right before it is used, straight
// from memory: the tensor pipe is used, and starves. Shapes that are not whole tiles go through shared memory
// with zeros beyond the edges.
#include "kernels/support/gemm_family.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_wmma.cuh"
#endif

namespace kprof {
namespace {

constexpr int tile = 16;
constexpr int warps = 4;  // of a block, 2 × 2
constexpr int block_tile = 2 * tile;

// wmma wants 32-byte aligned tiles and whole fragments; whole tiles in all three extents give both.
bool whole_tiles(const GemmCall& call) {
    return call.m % tile == 0 && call.n % tile == 0 && call.k % tile == 0;
}

// Per warp: a tile of C in FP32 on its way to C's type or around an edge, and the two staged operand tiles.
Geometry geometry(const GemmCall& call) {
    constexpr int c_bytes = warps * tile * tile * 4;
    constexpr int operand_bytes = warps * 2 * tile * tile * 2;  // TF32 steps half as far with twice the size
    const int smem = whole_tiles(call) ? (call.dtype == DType::tf32 ? 0 : c_bytes) : c_bytes + operand_bytes;
    return tile_geometry(call.m, call.n, block_tile, block_tile, warps * 32, 1, smem);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// Copies `rows` × `cols` of a row-major matrix from (row, col) on, with zeros beyond its edges. One warp.
template <int rows, int cols, typename Storage>
__device__ void stage(Storage* to, const Storage* from, unsigned row, unsigned col, unsigned row_count,
                      unsigned col_count) {
    for (unsigned i = threadIdx.x % 32; i < rows * cols; i += 32) {
        const unsigned r = row + i / cols, c = col + i % cols;
        const bool inside = r < row_count && c < col_count;
        to[i] = inside ? from[static_cast<std::size_t>(r) * col_count + c] : from_float<Storage>(0.0F);
    }
}

template <typename Type, bool whole>
__global__ void gemm_wmma_sync(const typename Type::Storage* a, const typename Type::Storage* b,
                               typename Type::Storage* c, int m_extent, int n_extent, int k_extent) {
    using Storage = typename Type::Storage;
    using Operand = typename Type::Operand;
    constexpr int step = Type::step;
    __shared__ __align__(32) float c_tiles[warps][tile * tile];
    __shared__ __align__(32) Storage a_tiles[warps][tile * step];
    __shared__ __align__(32) Storage b_tiles[warps][step * tile];
    const unsigned m = m_extent, n = n_extent, k = k_extent;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned row = (blockIdx.z * gridDim.y + blockIdx.y) * block_tile + warp / 2 * tile;
    const unsigned col = blockIdx.x * block_tile + warp % 2 * tile;
    if (row >= m || col >= n) return;  // the whole warp; blocks never synchronise here

    wmma::fragment<wmma::matrix_a, tile, tile, step, Operand, wmma::row_major> a_part;
    wmma::fragment<wmma::matrix_b, tile, tile, step, Operand, wmma::row_major> b_part;
    wmma::fragment<wmma::accumulator, tile, tile, step, float> sum;
    wmma::fill_fragment(sum, 0.0F);
    for (unsigned start = 0; start < k; start += step) {
        if constexpr (whole) {
            wmma::load_matrix_sync(a_part, a + static_cast<std::size_t>(row) * k + start, k);
            wmma::load_matrix_sync(b_part, b + static_cast<std::size_t>(start) * n + col, n);
        } else {
            stage<tile, step>(a_tiles[warp], a, row, start, m, k);
            stage<step, tile>(b_tiles[warp], b, start, col, k, n);
            sync_warp();
            wmma::load_matrix_sync(a_part, a_tiles[warp], step);
            wmma::load_matrix_sync(b_part, b_tiles[warp], tile);
            sync_warp();
        }
        round_operand<Type>(a_part);
        round_operand<Type>(b_part);
        wmma::mma_sync(sum, a_part, b_part, sum);
    }

    if constexpr (whole && step == WmmaTf32::step) {
        wmma::store_matrix_sync(c + static_cast<std::size_t>(row) * n + col, sum, n, wmma::mem_row_major);
    } else {
        wmma::store_matrix_sync(c_tiles[warp], sum, tile, wmma::mem_row_major);
        sync_warp();
        for (unsigned i = lane; i < tile * tile; i += 32) {
            const unsigned r = row + i / tile, s = col + i % tile;
            if (r < m && s < n)
                c[static_cast<std::size_t>(r) * n + s] = from_float<Storage>(c_tiles[warp][i]);
        }
    }
}

template <typename Type>
static void launch_as(const GemmCall& call) {
    using Storage = typename Type::Storage;
    const Geometry g = geometry(call);
    const auto kernel = whole_tiles(call) ? gemm_wmma_sync<Type, true> : gemm_wmma_sync<Type, false>;
    kernel<<<grid_of(g), block_of(g)>>>(static_cast<const Storage*>(call.a),
                                        static_cast<const Storage*>(call.b), static_cast<Storage*>(call.c),
                                        call.m, call.n, call.k);
    check_launch("gemm_wmma_sync");
}

static void launch(const GemmCall& call) {
    if (call.dtype == DType::bf16) {
        launch_as<WmmaBf16>(call);
    } else if (call.dtype == DType::fp16) {
        launch_as<WmmaFp16>(call);
    } else {
        launch_as<WmmaTf32>(call);
    }
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "wmma-sync";
    v.title = "tensor cores, one warp per 16x16 tile, no pipeline";
    v.dtypes = {DType::bf16, DType::fp16, DType::tf32};
    v.expected = "tensor_starved";
    v.twin = "wmma-pipelined";
    v.rung = 6;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
