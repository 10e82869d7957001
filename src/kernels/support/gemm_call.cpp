#include "kernels/support/gemm_call.hpp"

namespace kprof {

DType product_dtype(DType dtype) {
    return dtype == DType::fp8 ? DType::bf16 : dtype;
}

GemmCall gemm_call_of(const GemmVariant& variant, const Shape& shape, DType dtype) {
    GemmCall call;
    call.m = static_cast<std::int32_t>(shape.at("m"));
    call.n = static_cast<std::int32_t>(shape.at("n"));
    call.k = static_cast<std::int32_t>(shape.at("k"));
    call.dtype = dtype;
    call.lda = padded_extent(call.k, variant.padding);
    call.ldb = call.ldc = padded_extent(call.n, variant.padding);
    return call;
}

GemmElements gemm_elements(const GemmVariant& variant, const GemmCall& call) {
    const std::int64_t rows = padded_extent(call.m, variant.padding);
    GemmElements elements;
    elements.a = rows * call.lda;
    elements.b = padded_extent(call.k, variant.padding) * call.ldb;
    elements.c = rows * call.ldc;
    if (variant.task == GemmTask::product_bias_gelu) elements.bias = call.n;
    return elements;
}

}  // namespace kprof
