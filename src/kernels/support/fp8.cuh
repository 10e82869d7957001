// FP8 (e4m3: 4 bits of exponent, 3 of mantissa, largest value 448) for the kernels that fill and verify. Not
// in element.cuh, because its header costs every file that includes it compile time. CUDA only: AMD's FP8
// before CDNA4 is another format.
#pragma once

#if !defined(__HIP__)
#include <cuda_fp8.h>

namespace kprof {

using fp8 = __nv_fp8_e4m3;

__device__ inline double value_of(fp8 x) {
    return static_cast<float>(x);
}

}  // namespace kprof
#endif
