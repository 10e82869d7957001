// What the variants of reduce share: the sum of n FP32 numbers, by blocks that leave a partial sum each, and
// a few small launches that add those up. Data are positive, so that no sum cancels.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

enum ReduceBuffer { reduce_in, reduce_out, reduce_partial };

// Everything but name, title, label and launch. Buffers: x, sum; the variant adds its scratch.
Variant reduce_variant();

// The variants that sum partial sums by the same kernel again: n numbers become one for each `tile`, and so
// on. Numbers of scratch that the levels need, and launches.
std::int64_t partial_sums(std::int64_t n, std::int64_t tile);
int reduce_levels(std::int64_t n, std::int64_t tile);

// The variants with atomics: many counters a line apart, so that each lies in a slice of L2 of its own.
constexpr int atomic_sums = 64, floats_between_sums = 32;
std::int64_t atomic_sum_count(const Call& call);  // floats of scratch
int atomic_launches(const Call& call);

// Partial sums of one level, rounded up so that the next level's are aligned for loads of 16 bytes.
constexpr std::int64_t aligned_sums(std::int64_t sums) {
    return (sums + 3) / 4 * 4;
}

#ifdef KPROF_WITH_CUDA
// Calls level(from, to, count) for each level: from x to partial sums to partial sums to the sum.
template <typename Level>
void for_each_level(const Call& call, std::int64_t tile, Level level) {
    const auto* from = call.as<const float>(reduce_in);
    auto* next = call.as<float>(reduce_partial);
    std::int64_t count = call.extent[0];
    for (;;) {
        const std::int64_t sums = (count + tile - 1) / tile;
        float* to = sums > 1 ? next : call.as<float>(reduce_out);
        level(from, to, count);
        if (sums == 1) return;
        from = to;
        next += aligned_sums(sums);
        count = sums;
    }
}
// The sum of the atomic sums.
void add_atomic_sums(const Call& call);

void reduce_prepare(const Call& call);
void reduce_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
