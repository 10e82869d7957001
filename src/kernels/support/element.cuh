// How one element of each dtype is read and made, for the kernels that fill and verify.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

__device__ inline double value_of(double x) {
    return x;
}
__device__ inline double value_of(float x) {
    return x;
}
__device__ inline double value_of(bf16 x) {
    return to_float(x);
}
__device__ inline double value_of(fp16 x) {
    return to_float(x);
}
__device__ inline double value_of(signed char x) {
    return x;
}
__device__ inline double value_of(int x) {
    return x;
}
__device__ inline double value_of(unsigned x) {
    return x;
}

// SplitMix64 (Steele, Lea, Flood 2014): a counter in, 64 well-mixed bits out, so that every thread makes its
// own numbers and no state is kept.
__device__ inline unsigned long long mixed(unsigned long long counter) {
    unsigned long long z = counter + 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

}  // namespace kprof
