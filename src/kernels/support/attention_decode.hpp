// Decoding: one query per head against a long context. Facts of the variants that split the keys among
// blocks, each of which leaves an unfinished row, to be combined (attention_decode.cuh).
#pragma once

#include "kernels/support/attention_family.hpp"

namespace kprof {

constexpr int decode_threads = 256;

// Scratch of the split variants, by row of O and split: sums of weighted V, then {largest score, sum of
// weights}.
constexpr int partial_rows_buffer = attention_scratch, partial_sums_buffer = attention_scratch + 1;

// Keys of one split: enough that the partial rows weigh nothing beside K and V; splits are a grid's y.
inline std::int64_t split_keys(const AttentionShape& s) {
    constexpr std::int64_t usual = 2048, most_splits = 65535, step = 64;
    const std::int64_t needed = (s.keys + most_splits - 1) / most_splits;
    return needed <= usual ? usual : (needed + step - 1) / step * step;
}
inline std::int64_t split_count(const AttentionShape& s) {
    return (s.keys + split_keys(s) - 1) / split_keys(s);
}

// decode_attention_variant() with the partial rows as scratch and two launches.
Variant split_attention_variant();

#ifdef KPROF_WITH_CUDA
// Combines the partial rows into O.
void launch_combine(const Call& call);
#endif

}  // namespace kprof
