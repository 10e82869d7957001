// Decoding with the keys split among blocks (flash decoding): each block does what a block of `decode` does,
// for 2048 keys, and a small second kernel combines their rows. K and V come at the speed of HBM.
#include "kernels/support/attention_decode.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_decode.cuh"
#include "kernels/support/attention_mma.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    const AttentionShape s = attention_shape(call);
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>(s.batch * s.heads);
    g.grid[1] = static_cast<std::uint32_t>(split_count(s));
    g.block[0] = decode_threads;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <int depth>
__global__ void __launch_bounds__(decode_threads)
    attention_decode_split(const bf16* q, const bf16* k, const bf16* v, float* rows, Pack<float, 2>* sums,
                           AttentionShape s, std::int64_t keys_of_split, float scale) {
    const std::int64_t head = blockIdx.x, from = blockIdx.y * keys_of_split;
    const std::int64_t first = (kv_head_of(s, head) * s.keys + from) * depth;
    const auto keys = static_cast<int>(min(keys_of_split, s.keys - from));
    const PartialRow row = attend_keys<depth>(q + head * depth, k + first, v + first, keys, scale);
    const std::int64_t partial = head * gridDim.y + blockIdx.y;
    if (threadIdx.x < depth) rows[partial * depth + threadIdx.x] = row.sum;
    if (threadIdx.x == 0) sums[partial] = {row.largest, row.total};
}

static void launch(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const Geometry g = geometry(call);
    const auto kernel = s.depth == 64 ? attention_decode_split<64> : attention_decode_split<128>;
    kernel<<<grid_of(g), block_of(g)>>>(call.as<const bf16>(attention_q), call.as<const bf16>(attention_k),
                                        call.as<const bf16>(attention_v), call.as<float>(partial_rows_buffer),
                                        call.as<Pack<float, 2>>(partial_sums_buffer), s, split_keys(s),
                                        s.score_scale());
    check_launch("attention_decode_split");
    launch_combine(call);
}
#endif

static Variant variant() {
    Variant v = split_attention_variant();
    v.name = "decode-split";
    v.title = "one query, the keys split among blocks, then combined";
    v.expected = "at_limit:dram";
    v.rung = 7;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
