// The second half of decoding with split keys: the splits' rows, each relative to its own largest score,
// become one.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_decode.hpp"
#include "kernels/support/attention_softmax.cuh"

namespace kprof {

__global__ void attention_combine(const float* rows, const Pack<float, 2>* sums, bf16* out, int splits) {
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * splits;
    const int depth = static_cast<int>(blockDim.x), d = static_cast<int>(threadIdx.x);
    __shared__ float warp_values[128 / warp_size];
    float largest = -INFINITY, sum = 0, total = 0;
    for (int i = d; i < splits; i += depth) largest = fmaxf(largest, sums[first + i].at[0]);
    largest = block_max(largest, warp_values);
#pragma unroll 16
    for (int i = 0; i < splits; ++i) {
        const float shrink = exp2_fast(sums[first + i].at[0] - largest);
        total += sums[first + i].at[1] * shrink;
        sum += rows[(first + i) * depth + d] * shrink;
    }
    out[static_cast<std::int64_t>(blockIdx.x) * depth + d] = from_float<bf16>(sum / total);
}

void launch_combine(const Call& call) {
    const AttentionShape s = attention_shape(call);
    attention_combine<<<static_cast<unsigned>(s.batch * s.heads), static_cast<unsigned>(s.depth)>>>(
        call.as<const float>(partial_rows_buffer), call.as<const Pack<float, 2>>(partial_sums_buffer),
        call.as<bf16>(attention_out), static_cast<int>(split_count(s)));
    check_launch("attention_combine");
}

}  // namespace kprof
#endif
