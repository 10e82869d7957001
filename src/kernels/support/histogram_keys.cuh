// The keys of a block, a vector of 16 bytes at a time: both variants of histogram read alike.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/histogram_family.hpp"

namespace kprof {

// count(bin) for each key of the block's chunk.
template <typename Count>
__device__ inline void for_each_bin(const unsigned* keys, std::int64_t n, Count count) {
    const std::int64_t first = blockIdx.x * histogram_chunk;
    if (first + histogram_chunk <= n) {
        const auto* vectors = reinterpret_cast<const uint4*>(keys + first) + threadIdx.x;
        constexpr int rounds = histogram_chunk / 4 / histogram_threads;
#pragma unroll 4
        for (int round = 0; round < rounds; ++round) {
            const uint4 key = vectors[round * histogram_threads];
            count(key.x >> histogram_shift);
            count(key.y >> histogram_shift);
            count(key.z >> histogram_shift);
            count(key.w >> histogram_shift);
        }
    } else {
        for (std::int64_t i = first + threadIdx.x; i < n; i += histogram_threads) {
            count(keys[i] >> histogram_shift);
        }
    }
}

}  // namespace kprof
