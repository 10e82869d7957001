#include "kernels/support/attention_family.hpp"

namespace kprof {
namespace {

std::int64_t query_elements(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return s.batch * s.heads * s.queries * s.depth;
}

std::int64_t key_elements(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return s.batch * s.kv_heads * s.keys * s.depth;
}

double as_double(std::int64_t n) {
    return static_cast<double>(n);
}

// Two products, an FMA for each element of depth of each pair of query and key. The softmax is left out, as
// everyone does.
double flops_of(const AttentionShape& s, double pairs_of_a_head) {
    return 4 * as_double(s.batch) * as_double(s.heads) * pairs_of_a_head * as_double(s.depth);
}

double flops(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return flops_of(s, as_double(s.queries) * as_double(s.keys));
}

// Query i of n sees keys - n + 1 + i keys.
double causal_flops(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const double n = as_double(s.queries);
    return flops_of(s, n * (as_double(s.keys) - n) + n * (n + 1) / 2);
}

double min_bytes(const Call& call) {
    return call.size() * 2 * (as_double(query_elements(call)) + as_double(key_elements(call)));
}

std::int64_t row_of_out(const Call& call) {
    return attention_shape(call).depth;
}

// The scores twice, the weighted sum once, and an exponential (about 40) a key.
double row_cost(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return as_double(s.keys) * (6 * as_double(s.depth) + 40);
}

const char* causal_refuses(const Call& call) {
    const AttentionShape s = attention_shape(call);
    if (s.keys < s.queries) return "a causal mask needs at least as many keys as queries";
    return attention_refuses(call);
}

}  // namespace

const char* attention_refuses(const Call& call) {
    const AttentionShape s = attention_shape(call);
    if (s.depth != 64 && s.depth != 128) return "depth must be 64 or 128";
    if (s.heads % s.kv_heads != 0) return "heads must be a multiple of kv_heads";
    // Extents up to 2^31-1 each: only floating point holds every product. Below 2^31 by some tiles, so that
    // the first row behind the last tile is still an int.
    constexpr double most_rows = 2e9;
    const double query_rows = as_double(s.batch) * as_double(s.heads) * as_double(s.queries);
    const double key_rows = as_double(s.batch) * as_double(s.kv_heads) * as_double(s.keys);
    if (query_rows > most_rows || key_rows > most_rows) {
        return "batch x heads x tokens must be at most 2,000,000,000";
    }
    return nullptr;
}

const char* decode_attention_refuses(const Call& call) {
    if (attention_shape(call).queries != 1) return "decoding takes one query: queries must be 1";
    return attention_refuses(call);
}

Variant attention_variant() {
    Variant v;
    v.family = "attention";
    v.extents = {"batch", "heads", "kv_heads", "queries", "keys", "depth"};
    v.default_shape = {4, 16, 16, 8192, 8192, 128};
    v.dtypes = {DType::bf16};
    v.buffers = {{"Q", query_elements, Element::of_call, Role::input},
                 {"K", key_elements, Element::of_call, Role::input},
                 {"V", key_elements, Element::of_call, Role::input},
                 {"O", query_elements, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.matrix_product = true;
    v.refuses = attention_refuses;
    v.group = row_of_out;
    v.group_cost = row_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = attention_reference;
#endif
    return v;
}

Variant causal_attention_variant() {
    Variant v = attention_variant();
    v.flops = causal_flops;
    v.refuses = causal_refuses;
#ifdef KPROF_WITH_CUDA
    v.reference = causal_attention_reference;
#endif
    return v;
}

Variant decode_attention_variant() {
    Variant v = attention_variant();
    v.default_shape = {1, 32, 32, 1, 131072, 128};
    v.precision = "fp32";
    v.matrix_product = false;  // products of a vector and a matrix: nothing for the tensor cores to gain
    v.refuses = decode_attention_refuses;
    return v;
}

}  // namespace kprof
