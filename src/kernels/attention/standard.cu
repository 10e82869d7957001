// Attention as its formula reads: all scores to HBM, the softmax over them, the weights times V. Each product
// keeps the tensor cores as busy as flash does; the planted bottleneck is the N² scores, written and read as
// FP32 and their weights as BF16: 12 bytes a pair, where nothing else in HBM is larger than N.
#include "kernels/support/attention_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_mma.cuh"
#include "kernels/support/attention_softmax.cuh"
#endif

namespace kprof {
namespace {

constexpr int scores_buffer = attention_scratch, weights_buffer = attention_scratch + 1;
constexpr int tile = 128;     // rows and columns of a block's scores; rows of a block's output
constexpr int key_step = 64;  // keys that the second product takes at a time
constexpr int stages = 3;     // of its pipeline
constexpr int softmax_threads = 256;

// Rows of scores start at 16 bytes in either type.
std::int64_t row_stride(const AttentionShape& s) {
    return (s.keys + 7) / 8 * 8;
}

std::int64_t score_count(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return s.batch * s.heads * s.queries * row_stride(s);
}

// Of the first product; the last has the same grid.
Geometry geometry(const Call& call) {
    const AttentionShape s = attention_shape(call);
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>((s.queries + tile - 1) / tile * s.batch * s.heads);
    g.block[0] = 256;
    g.smem_dynamic = 3 * tile * (s.depth + tile_padding) * 2;
    return g;
}

int launches(const Call& /*call*/) {
    return 3;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// A warp's 32 x 64 scores. Of two neighbouring sums of 16 x 8, pairs of lanes swap halves, so that each lane
// writes 16 bytes, and four of them 64 bytes of a row.
__device__ static void store_scores(float* scores, int rows, std::int64_t stride, const float (&sum)[2][8][4],
                                    int first_row, int first_key) {
    const int lane = lane_of_warp(), odd = lane % 2;
    for (int i = 0; i < 2; ++i) {
        for (int half = 0; half < 2; ++half) {
            const int row = i * 16 + half * 8 + lane / 4;
            float* const to = scores + (first_row + row) * stride;
#pragma unroll
            for (int j = 0; j < 8; j += 2) {
                const float* left = &sum[i][j][half * 2];
                const float* right = &sum[i][j + 1][half * 2];
                const float x = shuffle_xor(odd ? left[0] : right[0], 1);
                const float y = shuffle_xor(odd ? left[1] : right[1], 1);
                const int key = first_key + (j + odd) * 8 + lane % 4 / 2 * 4;
                if (row < rows && key < stride) {
                    *reinterpret_cast<float4*>(to + key) =
                        odd ? make_float4(x, y, right[0], right[1]) : make_float4(left[0], left[1], x, y);
                }
            }
        }
    }
}

// 128 rows of scores a block: Q stays in shared memory, K passes by in double-buffered tiles of 128 keys.
// Eight warps take 32 x 64 of a tile each.
template <int depth>
__global__ void __launch_bounds__(256, 2)
    attention_scores(const bf16* q, const bf16* k, float* scores, AttentionShape s, std::int64_t stride) {
    extern __shared__ __align__(128) unsigned char shared[];
    bf16* const q_tile = reinterpret_cast<bf16*>(shared);
    bf16* const k_tiles = q_tile + tile_at<depth>(tile, 0);  // two
    const std::int64_t row_tiles = (s.queries + tile - 1) / tile, head = blockIdx.x / row_tiles;
    const int first_row = static_cast<int>(blockIdx.x % row_tiles) * tile;
    const int rows = static_cast<int>(s.queries) - first_row, keys = static_cast<int>(s.keys);
    k += kv_head_of(s, head) * s.keys * depth;
    scores += (head * s.queries + first_row) * stride;
    const auto load = [&](int from, int stage) {
        copy_tile<tile, depth, 256>(k_tiles + tile_at<depth>(stage * tile, 0), k + std::int64_t{from} * depth,
                                    depth, keys - from);
        commit_copies();
    };
    copy_tile<tile, depth, 256>(q_tile, q + (head * s.queries + first_row) * depth, depth, rows);
    load(0, 0);

    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    const int warp_row = warp / 2 * 32, warp_key = warp % 2 * 64;
    int stage = 0;
    for (int from = 0; from < keys; from += tile, stage ^= 1) {
        wait_copies<0>();
        __syncthreads();  // this tile is there, and every warp has done with the one before
        if (from + tile < keys) load(from + tile, stage ^ 1);
        float sum[2][8][4] = {};
        multiply_transposed<depth>(sum, q_tile, warp_row, k_tiles + tile_at<depth>(stage * tile, 0),
                                   warp_key);
        store_scores(scores, rows - warp_row, stride, sum, warp_row, from + warp_key);
    }
}

// One row a block: the largest score and the sum of the weights in one pass, the weights in a second.
__global__ void __launch_bounds__(softmax_threads)
    attention_softmax(const float* scores, bf16* weights, int keys, std::int64_t stride, float scale) {
    __shared__ float warp_values[softmax_threads / warp_size];
    const float4* row = reinterpret_cast<const float4*>(scores + blockIdx.x * stride);
    const int vectors = static_cast<int>(stride / 4);
    const auto read = [&](int i) {  // what lies beyond the last key weighs nothing
        Pack<float, 4> x = *reinterpret_cast<const Pack<float, 4>*>(row + i);
        for (int e = 0; e < 4; ++e) x.at[e] = i * 4 + e < keys ? x.at[e] * scale : -INFINITY;
        return x;
    };
    float largest = -INFINITY, total = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < vectors; i += softmax_threads) {
        const Pack<float, 4> x = read(i);
        const float now = fmaxf(fmaxf(fmaxf(x.at[0], x.at[1]), fmaxf(x.at[2], x.at[3])), largest);
        const float base = softmax_base(now, 1);
        total *= exp2_fast(largest - base);
        for (int e = 0; e < 4; ++e) total += exp2_fast(x.at[e] - base);
        largest = now;
    }
    const float row_largest = block_max(largest, warp_values);
    total = block_sum(total * exp2_fast(largest - row_largest), warp_values);
    const float inverse = 1 / total;
#pragma unroll 4
    for (int i = threadIdx.x; i < vectors; i += softmax_threads) {
        const Pack<float, 4> x = read(i);
        Pack<bf16, 4> weight;
        for (int e = 0; e < 4; ++e) {
            weight.at[e] = from_float<bf16>(exp2_fast(x.at[e] - row_largest) * inverse);
        }
        reinterpret_cast<Pack<bf16, 4>*>(weights + blockIdx.x * stride)[i] = weight;
    }
}

// 128 rows of O a block, four warps of 32 rows; weights and V pass by in a pipeline.
template <int depth>
constexpr int stage_elements = tile*(key_step + tile_padding) + key_step*(depth + tile_padding);

template <int depth>
__global__ void __launch_bounds__(128, 2)
    attention_output(const bf16* weights, const bf16* v, bf16* out, AttentionShape s, std::int64_t stride) {
    extern __shared__ __align__(128) unsigned char shared[];
    bf16* const buffers = reinterpret_cast<bf16*>(shared);
    const std::int64_t row_tiles = (s.queries + tile - 1) / tile, head = blockIdx.x / row_tiles;
    const int first_row = static_cast<int>(blockIdx.x % row_tiles) * tile;
    const int rows = static_cast<int>(s.queries) - first_row, keys = static_cast<int>(s.keys);
    weights += (head * s.queries + first_row) * stride;
    v += kv_head_of(s, head) * s.keys * depth;
    out += (head * s.queries + first_row) * depth;

    const auto load = [&](int from, int stage) {
        bf16* const w_tile = buffers + stage * stage_elements<depth>;
        if (from < keys) {
            // Rows of weights end in the middle of a step: what follows must not be read as weights.
            const int chunks = key_step / 8, columns = static_cast<int>(stride) - from;
            for (int at = threadIdx.x; at < tile * chunks; at += 128) {
                const int row = at / chunks, chunk = at % chunks;
                copy_chunk(shared_address(w_tile + tile_at<key_step>(row, chunk)),
                           weights + row * stride + from + chunk * 8, row < rows && chunk * 8 < columns);
            }
            copy_tile<key_step, depth, 128>(w_tile + tile_at<key_step>(tile, 0),
                                            v + std::int64_t{from} * depth, depth, keys - from);
        }
        commit_copies();  // of nothing, at the end: the waits below count groups
    };
    for (int i = 0; i < stages - 1; ++i) load(i * key_step, i);

    const int warp_row = static_cast<int>(threadIdx.x) / warp_size * 32;
    float sum[2][depth / 8][4] = {};
    int stage = 0;
    for (int from = 0; from < keys; from += key_step) {
        wait_copies<stages - 2>();
        __syncthreads();
        load(from + (stages - 1) * key_step, (stage + stages - 1) % stages);
        const bf16* w_tile = buffers + stage * stage_elements<depth>;
#pragma unroll
        for (int step = 0; step < key_step / 16; ++step) {
            unsigned a[2][4];
            for (int i = 0; i < 2; ++i) load_a<key_step>(a[i], w_tile, warp_row + i * 16, step);
            multiply_rows<depth>(sum, a, w_tile + tile_at<key_step>(tile, 0), step * 16);
        }
        stage = (stage + 1) % stages;
    }
    wait_copies<0>();
    __syncthreads();  // the buffers now carry the output
    constexpr float as_it_is[2][2] = {{1, 1}, {1, 1}};
    store_rows<depth>(out + static_cast<std::int64_t>(warp_row) * depth, rows - warp_row, buffers, warp_row,
                      sum, as_it_is);
}

template <int depth>
static void launch_as(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const Geometry g = geometry(call);
    const std::int64_t stride = row_stride(s), rows = s.batch * s.heads * s.queries;
    auto* scores = call.as<float>(scores_buffer);
    auto* weights = call.as<bf16>(weights_buffer);

    const auto score_bytes = static_cast<int>(g.smem_dynamic);
    allow_shared_memory(attention_scores<depth>, score_bytes);
    attention_scores<depth><<<grid_of(g), block_of(g), score_bytes>>>(
        call.as<const bf16>(attention_q), call.as<const bf16>(attention_k), scores, s, stride);
    check_launch("attention_scores");

    attention_softmax<<<static_cast<unsigned>(rows), softmax_threads>>>(
        scores, weights, static_cast<int>(s.keys), stride, s.score_scale());
    check_launch("attention_softmax");

    constexpr int output_bytes = stages * stage_elements<depth> * 2;
    allow_shared_memory(attention_output<depth>, output_bytes);
    attention_output<depth><<<grid_of(g), 128, output_bytes>>>(weights, call.as<const bf16>(attention_v),
                                                               call.as<bf16>(attention_out), s, stride);
    check_launch("attention_output");
}

static void launch(const Call& call) {
    if (attention_shape(call).depth == 64) {
        launch_as<64>(call);
    } else {
        launch_as<128>(call);
    }
}
#endif

static Variant variant() {
    Variant v = attention_variant();
    v.name = "standard";
    v.title = "scores in HBM: QK', softmax and PV as three kernels";
    v.expected = "dram_traffic";
    v.twin = "flash";
    v.rung = 1;
    v.buffers.push_back({"scores", score_count, Element::fp32, Role::scratch});
    v.buffers.push_back({"weights", score_count, Element::of_call, Role::scratch});
    v.geometry = geometry;
    v.launches = launches;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
