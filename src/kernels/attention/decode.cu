// Decoding with one block per batch and head, as in prefill: with one query there is nothing else to divide,
// and 32 blocks leave three quarters of the chip idle, however long the context.
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
    g.block[0] = decode_threads;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <int depth>
__global__ void __launch_bounds__(decode_threads)
    attention_decode(const bf16* q, const bf16* k, const bf16* v, bf16* out, AttentionShape s, float scale) {
    const std::int64_t head = blockIdx.x, first = kv_head_of(s, head) * s.keys * depth;
    const PartialRow row =
        attend_keys<depth>(q + head * depth, k + first, v + first, static_cast<int>(s.keys), scale);
    if (threadIdx.x < depth) out[head * depth + threadIdx.x] = from_float<bf16>(row.sum / row.total);
}

static void launch(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const Geometry g = geometry(call);
    const auto kernel = s.depth == 64 ? attention_decode<64> : attention_decode<128>;
    kernel<<<grid_of(g), block_of(g)>>>(call.as<const bf16>(attention_q), call.as<const bf16>(attention_k),
                                        call.as<const bf16>(attention_v), call.as<bf16>(attention_out), s,
                                        s.score_scale());
    check_launch("attention_decode");
}
#endif

static Variant variant() {
    Variant v = decode_attention_variant();
    v.name = "decode";
    v.title = "one query, one block per batch and head";
    v.expected = "small_grid";
    v.twin = "decode-split";
    v.rung = 6;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
