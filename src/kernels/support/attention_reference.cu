// Attention in FP64, straight from its definition and in no hurry: one block per row of O.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_family.hpp"
#include "kernels/support/device.cuh"

namespace kprof {

constexpr int reference_threads = 256;
constexpr int most_depth = 128;

__device__ static double score(const double* query, const bf16* key, int depth) {
    double sum = 0;
    for (int d = 0; d < depth; ++d) sum += query[d] * static_cast<double>(to_float(key[d]));
    return sum;
}

template <bool causal>
__global__ void attention_rows(const bf16* q, const bf16* k, const bf16* v, AttentionShape s,
                               const std::int64_t* groups, int count, double* expected) {
    __shared__ double query[most_depth], weights[reference_threads], sums[reference_threads];
    __shared__ double warp_values[reference_threads / warp_size];
    const int depth = static_cast<int>(s.depth), thread = static_cast<int>(threadIdx.x);
    // For the weighted sum: which element of O, and which share of the keys.
    const int element = thread % depth, share = thread / depth, shares = reference_threads / depth;
    for (int g = blockIdx.x; g < count; g += gridDim.x) {
        const std::int64_t row = groups[g], batch_head = row / s.queries;
        const std::int64_t kv_head = batch_head % s.heads / (s.heads / s.kv_heads);
        const std::int64_t first_key = (batch_head / s.heads * s.kv_heads + kv_head) * s.keys;
        const bf16* keys = k + first_key * depth;
        const bf16* values = v + first_key * depth;
        const std::int64_t visible = causal ? s.keys - s.queries + 1 + row % s.queries : s.keys;
        if (thread < depth) {
            query[thread] = static_cast<double>(to_float(q[row * depth + thread])) / sqrt(double(depth));
        }
        __syncthreads();

        double largest = -INFINITY;
        for (std::int64_t i = thread; i < visible; i += reference_threads) {
            largest = fmax(largest, score(query, keys + i * depth, depth));
        }
        largest = block_max(largest, warp_values);

        double total = 0, out = 0;
        for (std::int64_t from = 0; from < visible; from += reference_threads) {
            const std::int64_t i = from + thread;
            weights[thread] = i < visible ? exp(score(query, keys + i * depth, depth) - largest) : 0.0;
            total += weights[thread];
            __syncthreads();
            for (int j = share; j < reference_threads && from + j < visible; j += shares) {
                out += weights[j] * static_cast<double>(to_float(values[(from + j) * depth + element]));
            }
            __syncthreads();
        }
        total = block_sum(total, warp_values);
        sums[thread] = out;
        __syncthreads();
        if (thread < depth) {
            for (int other = 1; other < shares; ++other) out += sums[thread + other * depth];
            expected[static_cast<std::int64_t>(g) * depth + thread] = out / total;
        }
        __syncthreads();
    }
}

template <bool causal>
static void reference_of(const ReferenceCall& call) {
    const unsigned blocks = call.count < 65536 ? static_cast<unsigned>(call.count) : 65536;
    attention_rows<causal><<<blocks, reference_threads>>>(
        call.call.as<const bf16>(attention_q), call.call.as<const bf16>(attention_k),
        call.call.as<const bf16>(attention_v), attention_shape(call.call), call.groups, call.count,
        call.expected);
    check_launch("attention_rows");
}

void attention_reference(const ReferenceCall& call) {
    reference_of<false>(call);
}

void causal_attention_reference(const ReferenceCall& call) {
    reference_of<true>(call);
}

}  // namespace kprof
#endif
