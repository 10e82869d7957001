// The row numbers that gather looks up, and what must come out.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/elementwise_reference.cuh"
#include "kernels/support/gather_family.hpp"

namespace kprof {

// Where token t of n stands in a random order: a Feistel network permutes the next power of four, and walks
// on until it is back under n (at most a few steps, since a power of four is under 4 n).
__device__ static std::int64_t shuffled(std::int64_t t, std::int64_t n) {
    int half = 1;
    while ((std::int64_t{1} << (2 * half)) < n) ++half;
    const std::int64_t mask = (std::int64_t{1} << half) - 1;
    do {
        std::int64_t left = t >> half, right = t & mask;
        for (int round = 0; round < 4; ++round) {
            const auto key = static_cast<unsigned long long>(right + (std::int64_t{round} << 32));
            const std::int64_t next = left ^ (static_cast<std::int64_t>(mixed(key)) & mask);
            left = right;
            right = next;
        }
        t = (left << half) | right;
    } while (t >= n);
    return t;
}

template <bool random>
__global__ void write_row_numbers(int* index, std::int64_t rows, std::int64_t tokens) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t t = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; t < tokens;
         t += stride) {
        const std::int64_t place = random ? shuffled(t, tokens) : t;
        index[t] = static_cast<int>(place * rows / tokens);
    }
}

void gather_prepare_sorted(const Call& call) {
    const GatherShape s = gather_shape(call);
    write_row_numbers<false><<<4096, 256>>>(call.as<int>(gather_index), s.rows, s.tokens);
    check_launch("write_row_numbers");
}

void gather_prepare_random(const Call& call) {
    const GatherShape s = gather_shape(call);
    write_row_numbers<true><<<4096, 256>>>(call.as<int>(gather_index), s.rows, s.tokens);
    check_launch("write_row_numbers");
}

struct GatheredElement {
    const float* table;
    const int* index;
    std::int64_t width;
    __device__ double operator()(std::int64_t i) const { return table[index[i / width] * width + i % width]; }
};

void gather_reference(const ReferenceCall& call) {
    const GatherShape s = gather_shape(call.call);
    expect_each(call, s.tokens * s.width,
                GatheredElement{call.call.as<const float>(gather_table),
                                call.call.as<const int>(gather_index), s.width});
}

}  // namespace kprof
#endif
