// SiLU of one element.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

// For large -x the divisor is infinite and the result 0, as it should be.
__device__ inline float silu(float x) {
    return __fdividef(x, 1.0F + __expf(-x));
}

}  // namespace kprof
