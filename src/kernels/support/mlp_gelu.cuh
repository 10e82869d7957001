// GELU with the error function, and its derivative, in the type of the argument.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

// The share of a normal distribution below x; accurate far below zero too, where 1 + erf would cancel.
__device__ inline float normal_below(float x) {
    return 0.5F * erfcf(x * -0.70710678F);
}
__device__ inline double normal_below(double x) {
    return 0.5 * erfc(x * -0.70710678118654752);
}
__device__ inline float normal_density(float x) {
    return 0.39894228F * expf(-0.5F * x * x);
}
__device__ inline double normal_density(double x) {
    return 0.39894228040143268 * exp(-0.5 * x * x);
}

template <typename T>
__device__ inline T gelu(T x) {
    return x * normal_below(x);
}
template <typename T>
__device__ inline T gelu_slope(T x) {
    return normal_below(x) + x * normal_density(x);
}

}  // namespace kprof
