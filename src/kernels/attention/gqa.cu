// Decoding with grouped queries: the heads that share a head of K and V are the rows of one tensor-core tile,
// so K and V are read once for all of them, and the arithmetic of several heads costs as much as that of one.
// With the keys split among blocks, HBM is all that limits it.
#include "kernels/support/attention_decode.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_decode.cuh"
#include "kernels/support/attention_mma.cuh"
#endif

namespace kprof {
namespace {

constexpr int tile_heads = 16;             // rows of a tensor-core tile; larger groups take several blocks
constexpr int tile_keys = 64, stages = 2;  // of the pipeline
constexpr int warps = 4, threads = warps * 32;

std::int64_t tiles_of_group(const AttentionShape& s) {
    return (s.heads / s.kv_heads + tile_heads - 1) / tile_heads;
}

constexpr int tile_rows = tile_heads + 2 * stages * tile_keys;  // Q, and K and V of every stage

Geometry geometry(const Call& call) {
    const AttentionShape s = attention_shape(call);
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>(s.batch * s.kv_heads * tiles_of_group(s));
    g.grid[1] = static_cast<std::uint32_t>(split_count(s));
    g.block[0] = threads;
    g.smem_dynamic = tile_rows * (s.depth + tile_padding) * 2;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// Each warp takes 16 of a tile's 64 keys, with a softmax of its own; the four are merged at the end.
template <int depth>
__global__ void __launch_bounds__(threads)
    attention_gqa(const bf16* q, const bf16* k, const bf16* v, float* rows, Pack<float, 2>* sums,
                  AttentionShape s, std::int64_t keys_of_split, float scale) {
    extern __shared__ __align__(128) unsigned char shared[];
    bf16* const q_tile = reinterpret_cast<bf16*>(shared);
    bf16* const kv_tiles = q_tile + tile_at<depth>(tile_heads, 0);
    __shared__ float largests[warps][tile_heads], totals[warps][tile_heads];

    const std::int64_t group = s.heads / s.kv_heads, group_tiles = (group + tile_heads - 1) / tile_heads;
    const std::int64_t kv_head = blockIdx.x / group_tiles;
    const std::int64_t head =
        kv_head * group + blockIdx.x % group_tiles * tile_heads;  // the first of the tile
    const auto heads = static_cast<int>(min((kv_head + 1) * group - head, std::int64_t{tile_heads}));
    const std::int64_t first_key = blockIdx.y * keys_of_split;
    const auto keys = static_cast<int>(min(keys_of_split, s.keys - first_key));
    k += (kv_head * s.keys + first_key) * depth;
    v += (kv_head * s.keys + first_key) * depth;

    const auto load = [&](int from, int stage) {
        bf16* const k_tile = kv_tiles + tile_at<depth>(stage * 2 * tile_keys, 0);
        if (from < keys) {
            copy_tile<tile_keys, depth, threads>(k_tile, k + std::int64_t{from} * depth, depth, keys - from);
            copy_tile<tile_keys, depth, threads>(k_tile + tile_at<depth>(tile_keys, 0),
                                                 v + std::int64_t{from} * depth, depth, keys - from);
        }
        commit_copies();  // of nothing, at the end: the waits below count groups
    };
    copy_tile<tile_heads, depth, threads>(q_tile, q + head * depth, depth, heads);
    for (int i = 0; i < stages - 1; ++i) load(i * tile_keys, i);

    const int warp = static_cast<int>(threadIdx.x) / warp_size, lane = lane_of_warp();
    float sum[1][depth / 8][4] = {};
    SoftmaxRows<1> softmax;
    softmax.clear();
    int stage = 0;
    for (int from = 0; from < keys; from += tile_keys) {
        wait_copies<stages - 2>();
        __syncthreads();
        load(from + (stages - 1) * tile_keys, (stage + stages - 1) % stages);
        const bf16* k_tile = kv_tiles + tile_at<depth>(stage * 2 * tile_keys, 0);
        float score[1][2][4] = {};
        multiply_transposed<depth>(score, q_tile, 0, k_tile, warp * 16);
        hide_beyond(score, warp * 16, keys - from);
        float shrink[1][2];
        softmax_weights(score, softmax, shrink, scale);
        scale_rows(sum, shrink);
        unsigned weights[1][4];
        pack_a(weights[0], score[0][0], score[0][1]);
        multiply_rows<depth>(sum, weights, k_tile + tile_at<depth>(tile_keys, 0), warp * 16);
        stage = (stage + 1) % stages;
    }
    wait_copies<0>();
    __syncthreads();  // the tiles now carry each warp's sums

    auto* const warp_sums = reinterpret_cast<float*>(shared);  // [warp][head][depth]
    for (int half = 0; half < 2; ++half) {
        const int row = half * 8 + lane / 4;
        const float total = quad_sum(softmax.total[0][half]);
        if (lane % 4 == 0) {
            largests[warp][row] = softmax.largest[0][half];
            totals[warp][row] = total;
        }
#pragma unroll
        for (int j = 0; j < depth / 8; ++j) {
            float* const to = warp_sums + (warp * tile_heads + row) * depth + j * 8 + lane % 4 * 2;
            to[0] = sum[0][j][half * 2];
            to[1] = sum[0][j][half * 2 + 1];
        }
    }
    __syncthreads();
    for (int at = static_cast<int>(threadIdx.x); at < heads * depth; at += threads) {
        const int row = at / depth, d = at % depth;
        float largest = -INFINITY, total = 0, all = 0;
        for (int w = 0; w < warps; ++w) largest = fmaxf(largest, largests[w][row]);
        for (int w = 0; w < warps; ++w) {
            const float shrink = exp2_fast((largests[w][row] - largest) * scale);
            total += totals[w][row] * shrink;
            all += warp_sums[(w * tile_heads + row) * depth + d] * shrink;
        }
        const std::int64_t partial = (head + row) * gridDim.y + blockIdx.y;
        rows[partial * depth + d] = all;
        if (d == 0) sums[partial] = {largest * scale, total};
    }
}

static void launch(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const Geometry g = geometry(call);
    const auto kernel = s.depth == 64 ? attention_gqa<64> : attention_gqa<128>;
    allow_shared_memory(kernel, static_cast<int>(g.smem_dynamic));
    kernel<<<grid_of(g), block_of(g), static_cast<std::size_t>(g.smem_dynamic)>>>(
        call.as<const bf16>(attention_q), call.as<const bf16>(attention_k), call.as<const bf16>(attention_v),
        call.as<float>(partial_rows_buffer), call.as<Pack<float, 2>>(partial_sums_buffer), s, split_keys(s),
        s.score_scale());
    check_launch("attention_gqa");
    launch_combine(call);
}
#endif

static Variant variant() {
    Variant v = split_attention_variant();
    v.name = "gqa";
    v.title = "one query, grouped heads share each read of K and V, keys split";
    v.default_shape = {8, 32, 8, 1, 65536, 128};
    v.precision = "bf16";
    v.expected = "at_limit:dram";
    v.rung = 8;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
