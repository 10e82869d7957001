// What the variants of attention share: extents, buffers, FLOPs, bytes, reference. O = softmax(Q Kᵀ / √depth)
// V for every batch and head, in BF16. Memory order: batch, head, token, depth; K and V have kv_heads heads,
// each serving heads / kv_heads heads of Q. Causal: the last query sees every key, the one before all but
// one, ...
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

struct AttentionShape {
    std::int64_t batch, heads, kv_heads, queries, keys, depth;

    // exp(s / √depth) = 2^(s · score_scale()).
    float score_scale() const {
        return static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(depth)));
    }
};

inline AttentionShape attention_shape(const Call& call) {
    const std::int64_t* e = call.extent;
    return {e[0], e[1], e[2], e[3], e[4], e[5]};
}

// Order of the buffers that every variant has; its own scratch follows.
enum AttentionBuffer { attention_q, attention_k, attention_v, attention_out, attention_scratch };

// BF16 numbers that follow each row of a tile in shared memory (attention_mma.cuh).
constexpr int tile_padding = 8;

// Everything but name, title, shape, label and launch. The default shape is the prefill that all of them
// share.
Variant attention_variant();
// The same with a causal mask: half of the FLOPs, its own reference, and at least as many keys as queries.
Variant causal_attention_variant();
// One query for each head, against a long context.
Variant decode_attention_variant();

// Why no variant can run the shape, or null. For a variant's own `refuses` to begin with.
const char* attention_refuses(const Call& call);
const char* decode_attention_refuses(const Call& call);

#ifdef KPROF_WITH_CUDA
// FP64, from the definition: the largest score, then the weights and their sum. One group is one row of O.
void attention_reference(const ReferenceCall& call);
void causal_attention_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
