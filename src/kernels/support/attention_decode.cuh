// One query against a range of keys on the FP32 pipe: two products of a vector and a matrix that is read
// once, so there is nothing for tensor cores to gain.
#pragma once

#include "kernels/support/attention_decode.hpp"
#include "kernels/support/attention_softmax.cuh"
#include "kernels/support/device.cuh"

namespace kprof {

// What thread d < depth holds after attend_keys: element d of the weighted sum of V, and the row's softmax
// state.
struct PartialRow {
    float sum, largest, total;
};

// A key's row is read by depth / 8 threads, 16 bytes each; `in_flight` keys at a time, so that enough loads
// are under way. Afterwards the groups' results are merged.
template <int depth>
__device__ inline PartialRow attend_keys(const bf16* q, const bf16* k, const bf16* v, int keys, float scale) {
    constexpr int lanes = depth / 8, groups = decode_threads / lanes, in_flight = 4;
    __shared__ float sums[groups][depth], largests[groups], totals[groups];
    const int group = static_cast<int>(threadIdx.x) / lanes, lane = static_cast<int>(threadIdx.x) % lanes;
    using Vector = Pack<bf16, 8>;

    float query[8], sum[8] = {}, largest = -INFINITY, total = 0;
    const Vector q_part = *reinterpret_cast<const Vector*>(q + lane * 8);
    for (int e = 0; e < 8; ++e) query[e] = to_float(q_part.at[e]) * scale;
    for (int from = 0; from < keys; from += groups * in_flight) {
        Vector k_part[in_flight] = {}, v_part[in_flight] = {};
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            const int key = from + i * groups + group;
            if (key >= keys) continue;
            k_part[i] = *reinterpret_cast<const Vector*>(k + std::int64_t{key} * depth + lane * 8);
            v_part[i] = *reinterpret_cast<const Vector*>(v + std::int64_t{key} * depth + lane * 8);
        }
        float score[in_flight], now = largest;
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            score[i] = 0;
            for (int e = 0; e < 8; ++e) score[i] += query[e] * to_float(k_part[i].at[e]);
            for (int mask = lanes / 2; mask > 0; mask /= 2) score[i] += shuffle_xor(score[i], mask);
            if (from + i * groups + group >= keys) score[i] = -INFINITY;
            now = fmaxf(now, score[i]);
        }
        const float base = softmax_base(now, 1), shrink = exp2_fast(largest - base);
        total *= shrink;
        for (int e = 0; e < 8; ++e) sum[e] *= shrink;
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            const float weight = exp2_fast(score[i] - base);
            total += weight;
            for (int e = 0; e < 8; ++e) sum[e] += weight * to_float(v_part[i].at[e]);
        }
        largest = now;
    }

    for (int e = 0; e < 8; ++e) sums[group][lane * 8 + e] = sum[e];
    if (lane == 0) {
        largests[group] = largest;
        totals[group] = total;
    }
    __syncthreads();
    PartialRow row = {0, -INFINITY, 0};
    if (threadIdx.x < depth) {
        for (int g = 0; g < groups; ++g) row.largest = fmaxf(row.largest, largests[g]);
        for (int g = 0; g < groups; ++g) {
            const float shrink = exp2_fast(largests[g] - row.largest);
            row.total += totals[g] * shrink;
            row.sum += sums[g][threadIdx.x] * shrink;
        }
    }
    return row;
}

}  // namespace kprof
