// The tensor cores of sm_80 and later as the attention kernels use them: BF16 tiles in shared memory, filled
// by cp.async, read by ldmatrix, multiplied by mma m16n8k16 with FP32 sums.
//
// How a warp holds things (g = lane / 4, t = lane % 4). A sum of 16 x 8: {row g: columns 2t, 2t + 1; row g +
// 8: the same}. An A operand of 16 x 16: four registers of two BF16 each, rows g and g + 8 by the depth's
// halves. Two sums side by side, rounded to BF16, are therefore an A operand: the weights need not move
// between lanes.
#pragma once

#include <cstdint>

#include "kernels/support/attention_family.hpp"
#include "kernels/support/device.cuh"

namespace kprof {

// The head of K and V that serves a head of Q, both counted through all batches.
__device__ inline std::int64_t kv_head_of(const AttentionShape& s, std::int64_t head) {
    return head / s.heads * s.kv_heads + head % s.heads / (s.heads / s.kv_heads);
}

// Where the 16-byte chunk of a tile's row lies, in elements. Rows are 16 bytes longer than their `depth`
// elements, or else the eight rows that ldmatrix reads at once would lie in the same banks.
template <int depth>
__device__ inline int tile_at(int row, int chunk) {
    return row * (depth + tile_padding) + chunk * 8;
}

__device__ inline unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Starts to copy 16 bytes, or to write as many zeros: a copy of 0 bytes reads nothing, wherever its source
// lies.
__device__ inline void copy_chunk(unsigned to, const bf16* from, bool inside) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(inside ? 16 : 0));
}

// Starts to copy `rows` rows of `depth` elements that lie `stride` elements apart; those from `valid` on are
// filled with zeros. A thread copies the same chunk of every few rows.
template <int rows, int depth, int threads>
__device__ inline void copy_tile(bf16* to, const bf16* from, std::int64_t stride, int valid) {
    constexpr int chunks = depth / 8, rows_at_once = threads / chunks;
    static_assert(rows % rows_at_once == 0, "every thread copies as much");
    const int first = static_cast<int>(threadIdx.x) / chunks, chunk = static_cast<int>(threadIdx.x) % chunks;
    const unsigned target = shared_address(to + tile_at<depth>(first, chunk));
    const int rows_left = valid - first;
    from += first * stride + chunk * 8;
#pragma unroll
    for (int row = 0; row < rows; row += rows_at_once) {
        copy_chunk(target + tile_at<depth>(row, 0) * 2, from + row * stride, row < rows_left);
    }
}

__device__ inline void commit_copies() {
    asm volatile("cp.async.commit_group;");
}
// Waits until at most `pending` of the committed groups are under way.
template <int pending>
__device__ inline void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

__device__ inline void load_matrices(unsigned (&r)[4], const bf16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)));
}
__device__ inline void load_matrices_transposed(unsigned (&r)[4], const bf16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)));
}

__device__ inline void multiply_add(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ inline int lane_of_warp() {
    return static_cast<int>(threadIdx.x) % warp_size;
}

// The A operand at (row, step x 16) of a tile.
template <int depth>
__device__ inline void load_a(unsigned (&a)[4], const bf16* tile, int row, int step) {
    const int lane = lane_of_warp();
    load_matrices(a, tile + tile_at<depth>(row + lane % 16, step * 2 + lane / 16));
}

// sum += A Bᵀ over the whole depth: A has 16 m rows from a_row on, B 8 n rows from b_row on.
template <int depth, int m, int n>
__device__ inline void multiply_transposed(float (&sum)[m][n][4], const bf16* a_tile, int a_row,
                                           const bf16* b_tile, int b_row) {
    const int lane = lane_of_warp();
#pragma unroll
    for (int step = 0; step < depth / 16; ++step) {
        unsigned a[m][4];
#pragma unroll
        for (int i = 0; i < m; ++i) load_a<depth>(a[i], a_tile, a_row + i * 16, step);
#pragma unroll
        for (int j = 0; j < n; j += 2) {
            unsigned b[4];
            load_matrices(b, b_tile + tile_at<depth>(b_row + j * 8 + lane / 16 * 8 + lane % 8,
                                                     step * 2 + lane / 8 % 2));
#pragma unroll
            for (int i = 0; i < m; ++i) {
                multiply_add(sum[i][j], a[i], b[0], b[1]);
                multiply_add(sum[i][j + 1], a[i], b[2], b[3]);
            }
        }
    }
}

// sum += A B for 16 rows of B (from b_row on, all `depth` columns): A has 16 m rows and 16 columns.
template <int depth, int m>
__device__ inline void multiply_rows(float (&sum)[m][depth / 8][4], const unsigned (&a)[m][4],
                                     const bf16* b_tile, int b_row) {
    const int lane = lane_of_warp();
#pragma unroll
    for (int j = 0; j < depth / 8; j += 2) {
        unsigned b[4];
        load_matrices_transposed(b, b_tile + tile_at<depth>(b_row + lane % 16, j + lane / 16));
#pragma unroll
        for (int i = 0; i < m; ++i) {
            multiply_add(sum[i][j], a[i], b[0], b[1]);
            multiply_add(sum[i][j + 1], a[i], b[2], b[3]);
        }
    }
}

__device__ inline unsigned pack_bf16(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&pair);
}

// The sums of 16 x 16 (two side by side) as an A operand.
__device__ inline void pack_a(unsigned (&a)[4], const float (&left)[4], const float (&right)[4]) {
    a[0] = pack_bf16(left[0], left[1]);
    a[1] = pack_bf16(left[2], left[3]);
    a[2] = pack_bf16(right[0], right[1]);
    a[3] = pack_bf16(right[2], right[3]);
}

// Writes a warp's 16 m rows of O, each scaled by scale[i][half] (rows g and g + 8): by way of `tile`, whose
// rows tile_row... no other warp uses, so that memory sees whole lines. Rows from `valid` on are left out.
template <int depth, int m>
__device__ inline void store_rows(bf16* to, int valid, bf16* tile, int tile_row,
                                  const float (&sum)[m][depth / 8][4], const float (&scale)[m][2]) {
    constexpr int chunks = depth / 8;
    const int lane = lane_of_warp();
#pragma unroll
    for (int i = 0; i < m; ++i) {
#pragma unroll
        for (int j = 0; j < chunks; ++j) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int at = tile_at<depth>(tile_row + i * 16 + half * 8 + lane / 4, j) + lane % 4 * 2;
                *reinterpret_cast<unsigned*>(tile + at) =
                    pack_bf16(sum[i][j][half * 2] * scale[i][half], sum[i][j][half * 2 + 1] * scale[i][half]);
            }
        }
    }
    __syncwarp();
    for (int at = lane; at < m * 16 * chunks; at += warp_size) {
        const int row = at / chunks, chunk = at % chunks;
        if (row < valid) {
            *reinterpret_cast<uint4*>(to + static_cast<std::int64_t>(row) * depth + chunk * 8) =
                *reinterpret_cast<const uint4*>(tile + tile_at<depth>(tile_row + row, chunk));
        }
    }
}

}  // namespace kprof
