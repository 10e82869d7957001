// The two sides of divergence, for the kernels in FP32 and the reference in FP64. Both converge for |x| < 1,
// and neither can be made from the other's instructions.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/divergence_family.hpp"

namespace kprof {

// y -> decay·y + x, then shift·y - x
template <typename T>
__device__ inline T relax(T x, T decay, T shift, int rounds) {
    T y = x;
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < divergence_steps; ++step) {
            y = decay * y + x;
            y = shift * y - x;
        }
    }
    return y;
}

// y -> x·y + decay, then x·y - shift
template <typename T>
__device__ inline T expand(T x, T decay, T shift, int rounds) {
    T y = x;
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < divergence_steps; ++step) {
            y = x * y + decay;
            y = x * y - shift;
        }
    }
    return y;
}

template <typename T>
__device__ inline T divergence_of(std::int64_t element, T x, T decay, T shift, int rounds) {
    return element / divergence_side % 2 == 0 ? relax(x, decay, shift, rounds)
                                              : expand(x, decay, shift, rounds);
}

}  // namespace kprof
