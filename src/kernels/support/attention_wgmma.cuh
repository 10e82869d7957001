// Flash attention as Hopper wants it: one thread has the copy engine (TMA) bring tiles of K and V, and three
// warpgroups of 64 rows each multiply them by wgmma. They drift apart by themselves: while one computes its
// exponentials, the tensor cores work for the other two. Causal: a warpgroup goes on to the last tile that
// its last row sees, and compares element by element only in tiles that its diagonal crosses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/support/attention_mma.cuh"
#include "kernels/support/attention_softmax.cuh"
#include "kernels/support/attention_wgmma.hpp"
#include "kernels/support/hopper.cuh"
#include "kernels/support/tensor_map.hpp"
#include "kernels/support/wgmma.cuh"

namespace kprof {

constexpr int flash_box = 64;  // columns that TMA writes side by side: 128 bytes

struct FlashMaps {
    TensorMap q, k, v, out;
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// A ring of tiles in shared memory: `full` when TMA has filled one, `empty` when every consumer has read it.
template <typename T>
struct FlashRing {
    hopper::Barrier full[T::stages], empty[T::stages];
};

// sum and score as the array of registers that wgmma names.
template <int n>
__device__ inline float (&flat(float (&x)[1][n][4]))[n * 4] {
    return reinterpret_cast<float(&)[n * 4]>(x);
}

// Boxes of a tile: `rows` rows of 128 bytes each.
template <int rows>
__device__ inline unsigned char* box_at(unsigned char* tile, int index) {
    return tile + index * rows * 128;
}

template <typename T>
__device__ void produce(unsigned char* tiles, FlashRing<T>* rings, const FlashMaps& maps, int kv_head,
                        int tile_count) {
    hopper::RingPosition<T::stages> at;
    for (int i = 0; i < tile_count; ++i, at.advance()) {
        for (int which = 0; which < 2; ++which) {  // K, then V
            FlashRing<T>& ring = rings[which];
            hopper::wait(ring.empty[at.stage], at.parity ^ 1);
            hopper::arrive_expecting(ring.full[at.stage], T::k_bytes);
            unsigned char* tile = tiles + (which * T::stages + at.stage) * T::k_bytes;
            for (int b = 0; b < T::depth / flash_box; ++b) {
                hopper::load(box_at<T::keys>(tile, b), which == 0 ? maps.k : maps.v, b * flash_box,
                             i * T::keys, kv_head, ring.full[at.stage]);
            }
        }
    }
}

// Starts scores = Q Kᵀ.
template <typename T>
__device__ inline void start_scores(float (&score)[1][T::keys / 8][4], unsigned char* q, unsigned char* k) {
    hopper::hold(flat(score));
    hopper::fence();
#pragma unroll
    for (int step = 0; step < T::depth / 16; ++step) {
        const int in_box = step % (flash_box / 16);
        hopper::multiply<bf16, false, false>(
            flat(score),
            hopper::k_major(box_at<T::rows>(q, step * 16 / flash_box)) + in_box * hopper::k_major_step,
            hopper::k_major(box_at<T::keys>(k, step * 16 / flash_box)) + in_box * hopper::k_major_step,
            step > 0);
    }
    hopper::commit();
}

// Starts sum += weights V.
template <typename T>
__device__ inline void start_output(float (&sum)[1][T::depth / 8][4],
                                    const unsigned (&weights)[T::keys / 16][4], unsigned char* v) {
    hopper::hold(flat(sum));
    hopper::fence();
#pragma unroll
    for (int step = 0; step < T::keys / 16; ++step) {
        hopper::multiply<bf16, true>(flat(sum), weights[step],
                                     hopper::mn_major(v, T::keys * 128) + step * hopper::mn_major_step, true);
    }
    hopper::commit();
}

// One arrival a warp: its part of the product is complete.
__device__ inline void release(hopper::Barrier& barrier) {
    if (lane_of_warp() == 0) hopper::arrive(barrier);
}

// Leaves a warpgroup's rows of O in `sum`. The last of them sees `keys` keys.
template <typename T, bool causal>
__device__ void consume(unsigned char* q, unsigned char* tiles, hopper::Barrier& q_full, FlashRing<T>* rings,
                        int keys, float scale, float (&sum)[1][T::depth / 8][4]) {
    FlashRing<T>&k_ring = rings[0], &v_ring = rings[1];
    unsigned char* const v_tiles = tiles + T::stages * T::k_bytes;
    SoftmaxRows<1> softmax;
    softmax.clear();
    hopper::RingPosition<T::stages> at;
    hopper::wait(q_full, 0);
    for (int left = keys; left > 0; left -= T::keys, at.advance()) {
        float score[1][T::keys / 8][4], shrink[1][2];
        hopper::wait(k_ring.full[at.stage], at.parity);
        start_scores<T>(score, q, tiles + at.stage * T::k_bytes);
        hopper::wait<0>();
        hopper::hold(flat(score));
        release(k_ring.empty[at.stage]);

        if constexpr (causal) {
            const int seen = left - (T::group_rows - 1);  // of this tile, by the first row
            const int row = static_cast<int>(threadIdx.x) % T::group_threads / warp_size * 16;
            if (seen < T::keys) hide_causal(score, row, seen);
        } else {
            if (left < T::keys) hide_beyond(score, 0, left);
        }
        softmax_weights(score, softmax, shrink, scale);
        scale_rows(sum, shrink);
        unsigned weights[T::keys / 16][4];
#pragma unroll
        for (int i = 0; i < T::keys / 16; ++i) pack_a(weights[i], score[0][2 * i], score[0][2 * i + 1]);

        hopper::wait(v_ring.full[at.stage], at.parity);
        start_output<T>(sum, weights, v_tiles + at.stage * T::k_bytes);
        hopper::wait<0>();
        hopper::hold(flat(sum));
        release(v_ring.empty[at.stage]);
    }
    const float inverse[1][2] = {{1 / quad_sum(softmax.total[0][0]), 1 / quad_sum(softmax.total[0][1])}};
    scale_rows(sum, inverse);
}

// A warpgroup's rows of O: to where its rows of Q were, permuted as TMA expects them, and out.
template <typename T>
__device__ void store_tile(unsigned char* tile, const TensorMap& out, const float (&sum)[1][T::depth / 8][4],
                           int group, int first_row, int head) {
    const int lane = lane_of_warp(), warp = static_cast<int>(threadIdx.x) % T::group_threads / warp_size;
#pragma unroll
    for (int j = 0; j < T::depth / 8; ++j) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = warp * 16 + half * 8 + lane / 4, chunk = j % 8 ^ row % 8;
            unsigned char* to = box_at<T::rows>(tile, j / 8) + row * 128 + chunk * 16 + lane % 4 * 4;
            *reinterpret_cast<unsigned*>(to) = pack_bf16(sum[0][j][half * 2], sum[0][j][half * 2 + 1]);
        }
    }
    hopper::fence_async();
    hopper::sync_threads(1 + T::consumers + group, T::group_threads);
    if (threadIdx.x % T::group_threads == 0) {
        for (int b = 0; b < T::depth / flash_box; ++b) {
            hopper::store(out, box_at<T::rows>(tile, b), b * flash_box, first_row, head);
        }
        hopper::commit_stores();
        hopper::wait_stores_read<0>();
    }
}
#endif

// Which rows of which head a block works on. Causal: the last rows see the most keys, and the blocks of
// `heads_at_once` heads begin with those, so that the short ones are left for the end.
struct FlashPlace {
    int head, row_tile;
};
template <bool causal>
__device__ inline FlashPlace place_of(unsigned block, unsigned row_tiles, unsigned heads,
                                      unsigned heads_at_once) {
    if constexpr (!causal) return {static_cast<int>(block / row_tiles), static_cast<int>(block % row_tiles)};
    const unsigned first_head = block / (row_tiles * heads_at_once) * heads_at_once;
    const unsigned width = min(heads_at_once, heads - first_head), in_turn = block - first_head * row_tiles;
    return {static_cast<int>(first_head + in_turn % width),
            static_cast<int>(row_tiles - 1 - in_turn / width)};
}

template <int depth, bool causal>
__global__ void __launch_bounds__(FlashTile<depth>::threads, 1)
    attention_flash_wgmma(const __grid_constant__ FlashMaps maps, AttentionShape s, float scale,
                          unsigned heads_at_once) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using T = FlashTile<depth>;
    extern __shared__ unsigned char shared[];
    __shared__ FlashRing<T> rings[2];
    __shared__ hopper::Barrier q_full;
    unsigned char* const q = shared + (1024 - hopper::shared_address(shared) % 1024) % 1024;
    unsigned char* const tiles = q + T::q_bytes;
    const int group = static_cast<int>(threadIdx.x) / T::group_threads - 1;  // -1: the producer's
    if (threadIdx.x == 0) {
        hopper::init(q_full, 1);
        for (FlashRing<T>& ring : rings) {
            for (int i = 0; i < T::stages; ++i) {
                hopper::init(ring.full[i], 1);
                hopper::init(ring.empty[i], T::consumers * T::group_threads / warp_size);
            }
        }
        hopper::fence_init();
    }
    __syncthreads();

    const auto row_tiles = static_cast<unsigned>((s.queries + T::rows - 1) / T::rows);
    const auto [head, row_tile] =
        place_of<causal>(blockIdx.x, row_tiles, gridDim.x / row_tiles, heads_at_once);
    const int first_row = row_tile * T::rows;
    // How many keys the block's first rows see, at most. Causal: those from `queries` on, which nobody
    // stores, would see keys that are not there: zeros.
    const auto seen_by = [&](int rows) {
        return static_cast<int>(causal ? s.keys - s.queries + first_row + rows : s.keys);
    };
    if (group < 0) {
        hopper::give_registers<T::producer_registers>();
        if (threadIdx.x == 0) {
            hopper::arrive_expecting(q_full, T::q_bytes);
            for (int b = 0; b < T::depth / flash_box; ++b) {
                hopper::load(box_at<T::rows>(q, b), maps.q, b * flash_box, first_row, head, q_full);
            }
            produce<T>(tiles, rings, maps, static_cast<int>(kv_head_of(s, head)),
                       (seen_by(T::rows) + T::keys - 1) / T::keys);
        }
    } else {
        hopper::take_registers<T::consumer_registers>();
        float sum[1][T::depth / 8][4] = {};
        unsigned char* const group_q = q + group * T::group_rows * 128;
        // It may end before the block's last tile, whose place in the ring no later one needs.
        static_assert((T::consumers - 1) * T::group_rows <= T::stages * T::keys);
        consume<T, causal>(group_q, tiles, q_full, rings, seen_by((group + 1) * T::group_rows), scale, sum);
        store_tile<T>(group_q, maps.out, sum, group, first_row + group * T::group_rows, head);
    }
#endif
}

// Rows beyond a head's last token read as zero and are not written: a tensor map of three dimensions.
inline TensorMap flash_map(void* data, std::int64_t heads, std::int64_t tokens, std::int64_t depth,
                           int box_rows) {
    TensorMapSpec spec;
    spec.data = data;
    spec.rank = 3;
    spec.extent[0] = depth;
    spec.extent[1] = tokens;
    spec.extent[2] = heads;
    spec.stride[0] = depth * 2;
    spec.stride[1] = depth * 2 * tokens;
    spec.box[0] = flash_box;
    spec.box[1] = box_rows;
    return make_tensor_map(spec);
}

// The variants' `open`, `close` and `launch`.
inline void* open_flash_wgmma(const Call& call) {
    using T = FlashTile<128>;  // the boxes' rows are those of any depth
    const AttentionShape s = attention_shape(call);
    const std::int64_t heads = s.batch * s.heads, kv_heads = s.batch * s.kv_heads;
    return new FlashMaps{flash_map(call.buffer[attention_q], heads, s.queries, s.depth, T::rows),
                         flash_map(call.buffer[attention_k], kv_heads, s.keys, s.depth, T::keys),
                         flash_map(call.buffer[attention_v], kv_heads, s.keys, s.depth, T::keys),
                         flash_map(call.buffer[attention_out], heads, s.queries, s.depth, T::group_rows)};
}
inline void close_flash_wgmma(void* maps) {
    delete static_cast<FlashMaps*>(maps);
}

// The heads of Q whose K and V fit into about half of the L2 cache (60 MB). On an H200, with 64 heads of
// 8,192 tokens (medians of six interleaved rounds): 8 at once 5 % faster than one by one, 13 % faster than
// all.
inline unsigned heads_at_once(const AttentionShape& s) {
    constexpr std::int64_t cached_bytes = 32 << 20;
    const std::int64_t kv_heads = std::max<std::int64_t>(cached_bytes / (4 * s.keys * s.depth), 1);
    return static_cast<unsigned>(std::min(kv_heads * (s.heads / s.kv_heads), s.batch * s.heads));
}

template <bool causal>
void launch_flash_wgmma(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const Geometry g = flash_wgmma_geometry(call);
    const auto kernel =
        s.depth == 64 ? attention_flash_wgmma<64, causal> : attention_flash_wgmma<128, causal>;
    allow_shared_memory(kernel, static_cast<int>(g.smem_dynamic));
    kernel<<<grid_of(g), block_of(g), static_cast<std::size_t>(g.smem_dynamic)>>>(
        *static_cast<const FlashMaps*>(call.context), s, s.score_scale(), heads_at_once(s));
    check_launch("attention_flash_wgmma");
}

}  // namespace kprof
