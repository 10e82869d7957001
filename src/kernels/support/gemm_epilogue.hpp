// What the two ways of C = GELU(A·B + bias) share.
#pragma once

#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

// cuBLASLt's epilogue needs rows that start at multiples of 16 bytes; the twins take the same shapes.
inline const char* epilogue_refuses(const GemmCall& call) {
    return call.n % 8 != 0 || call.k % 8 != 0 ? "n and k must be multiples of 8" : nullptr;
}

// k is short, as in the second half of a low-rank adapter: the product then writes much more than it reads
// and computes, and one more trip of C through memory is what the time goes into.
inline GemmVariant epilogue_variant() {
    GemmVariant v;
    v.dtypes = {DType::bf16};
    v.task = GemmTask::product_bias_gelu;
    v.default_shape[0] = 32768;
    v.default_shape[1] = 16384;
    v.default_shape[2] = 128;
    v.extra_device_bytes = cublas_device_bytes;
    v.refuses = epilogue_refuses;
    return v;
}

}  // namespace kprof
