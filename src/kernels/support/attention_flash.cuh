// Flash attention with mma.sync, for sm_80 and later: a block keeps 128 rows of Q and of O, and K and V pass
// by in tiles of 64 keys, double-buffered by cp.async. No score ever leaves the registers.
#pragma once

#include "kernels/support/attention_flash.hpp"
#include "kernels/support/attention_mma.cuh"
#include "kernels/support/attention_softmax.cuh"

namespace kprof {

template <int depth, AttentionMask mask>
__global__ void __launch_bounds__(flash_threads, 2)
    attention_flash(const bf16* q, const bf16* k, const bf16* v, bf16* out, AttentionShape s, float scale) {
    extern __shared__ __align__(128) unsigned char shared[];
    bf16* const q_tile = reinterpret_cast<bf16*>(shared);
    bf16* const k_tiles = q_tile + tile_at<depth>(flash_rows, 0);  // two
    bf16* const v_tiles = k_tiles + tile_at<depth>(2 * flash_keys, 0);

    const std::int64_t row_tiles = (s.queries + flash_rows - 1) / flash_rows;
    const std::int64_t head = blockIdx.x / row_tiles;  // through all batches
    std::int64_t row_tile = blockIdx.x % row_tiles;
    // The last rows see the most keys: the longest blocks start first.
    if constexpr (mask == AttentionMask::per_tile) row_tile = row_tiles - 1 - row_tile;
    const int first_row = static_cast<int>(row_tile) * flash_rows,
              rows = static_cast<int>(s.queries) - first_row;
    const std::int64_t kv_offset = kv_head_of(s, head) * s.keys * depth;
    q += (head * s.queries + first_row) * depth;
    out += (head * s.queries + first_row) * depth;
    k += kv_offset;
    v += kv_offset;

    const int all_keys = static_cast<int>(s.keys);
    const int seen =
        static_cast<int>(s.keys - s.queries) + first_row + 1;  // keys that the tile's first row sees
    int keys = all_keys;
    if constexpr (mask == AttentionMask::per_tile) keys = min(keys, seen + flash_rows - 1);
    const int warp_row = static_cast<int>(threadIdx.x) / warp_size * flash_strips * 16;

    const auto load = [&](int from, int stage) {
        copy_tile<flash_keys, depth, flash_threads>(k_tiles + tile_at<depth>(stage * flash_keys, 0),
                                                    k + std::int64_t{from} * depth, depth, all_keys - from);
        copy_tile<flash_keys, depth, flash_threads>(v_tiles + tile_at<depth>(stage * flash_keys, 0),
                                                    v + std::int64_t{from} * depth, depth, all_keys - from);
        commit_copies();
    };
    copy_tile<flash_rows, depth, flash_threads>(q_tile, q, depth, rows);
    load(0, 0);

    float sum[flash_strips][depth / 8][4] = {};
    SoftmaxRows<flash_strips> softmax;
    softmax.clear();
    int stage = 0;
    for (int from = 0; from < keys; from += flash_keys, stage ^= 1) {
        wait_copies<0>();
        __syncthreads();  // this tile is there, and every warp has done with the one before
        if (from + flash_keys < keys) load(from + flash_keys, stage ^ 1);

        float score[flash_strips][flash_keys / 8][4] = {};
        multiply_transposed<depth>(score, q_tile, warp_row, k_tiles + tile_at<depth>(stage * flash_keys, 0),
                                   0);
        if (mask == AttentionMask::per_element ||
            (mask == AttentionMask::per_tile && from + flash_keys > seen + warp_row)) {
            hide_causal(score, warp_row, seen - from);
        }
        if (from + flash_keys > all_keys) hide_beyond(score, 0, all_keys - from);
        float shrink[flash_strips][2];
        softmax_weights(score, softmax, shrink, scale);
        scale_rows(sum, shrink);
#pragma unroll
        for (int step = 0; step < flash_keys / 16; ++step) {
            unsigned weights[flash_strips][4];
#pragma unroll
            for (int i = 0; i < flash_strips; ++i) {
                pack_a(weights[i], score[i][2 * step], score[i][2 * step + 1]);
            }
            multiply_rows<depth>(sum, weights, v_tiles + tile_at<depth>(stage * flash_keys, 0), step * 16);
        }
    }

    float inverse[flash_strips][2];
    for (int i = 0; i < flash_strips; ++i) {
        for (int half = 0; half < 2; ++half) inverse[i][half] = 1 / quad_sum(softmax.total[i][half]);
    }
    store_rows<depth>(out + static_cast<std::int64_t>(warp_row) * depth, rows - warp_row, q_tile, warp_row,
                      sum, inverse);
}

template <AttentionMask mask>
void launch_flash(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const Geometry g = flash_geometry(call);
    const auto kernel = s.depth == 64 ? attention_flash<64, mask> : attention_flash<128, mask>;
    allow_shared_memory(kernel, static_cast<int>(g.smem_dynamic));
    kernel<<<grid_of(g), block_of(g), static_cast<std::size_t>(g.smem_dynamic)>>>(
        call.as<const bf16>(attention_q), call.as<const bf16>(attention_k), call.as<const bf16>(attention_v),
        call.as<bf16>(attention_out), s, s.score_scale());
    check_launch("attention_flash");
}

}  // namespace kprof
