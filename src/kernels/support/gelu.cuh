// GELU of one element.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/gelu_family.hpp"

namespace kprof {

// x/2 · (1 + tanh u) written as x / (1 + exp(-2u)): two special functions instead of a dozen instructions.
// For large -u the divisor is infinite and the result 0, as it should be.
struct Gelu {
    __device__ float operator()(float x) const {
        const float u = gelu_slope * (x + gelu_cubic * x * x * x);
        return __fdividef(x, 1.0F + __expf(-2.0F * u));
    }
};

}  // namespace kprof
