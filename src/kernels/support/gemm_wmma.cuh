// The element types of the products that use nvcuda::wmma.
#pragma once

#include <mma.h>

#include "kernels/support/device.cuh"

namespace kprof {

namespace wmma = nvcuda::wmma;

// Storage: the type in memory. Operand: the type that the fragment names. step: the depth of one mma.
struct WmmaBf16 {
    using Storage = bf16;
    using Operand = bf16;
    static constexpr int step = 16;
};
struct WmmaFp16 {
    using Storage = fp16;
    using Operand = fp16;
    static constexpr int step = 16;
};
struct WmmaTf32 {
    using Storage = float;
    using Operand = wmma::precision::tf32;
    static constexpr int step = 8;
};

// TF32 fragments hold FP32 until they are rounded; the others are as they are.
template <typename Type, typename Fragment>
__device__ inline void round_operand(Fragment& fragment) {
    if constexpr (Type::step == WmmaTf32::step) {
#pragma unroll
        for (int i = 0; i < fragment.num_elements; ++i) fragment.x[i] = wmma::__float_to_tf32(fragment.x[i]);
    }
}

}  // namespace kprof
