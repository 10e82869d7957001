// What all variants of the product C = A·B share. A variant's .cu states its facts in a GemmVariant; the
// rest (work, memory, data, verification) is made from them here. C++17 and light: every gemm .cu includes
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.hpp"
#include "kernels/support/geometry.hpp"
#include "kernels/support/variant.hpp"

namespace kprof {

// One product on the device. A is m × k, B is k × n, C is m × n: all row-major, without padding unless the
// variant asks for it, and stored in the dtype (TF32 in 4 bytes; the C of an FP8 product in BF16). Arithmetic
// accumulates in FP32. In facts (work, geometry) the pointers are null.
struct GemmCall {
    const void* a = nullptr;
    const void* b = nullptr;
    void* c = nullptr;
    const void* bias = nullptr;  // n numbers, where the variant's task has one
    std::int32_t m = 0, n = 0, k = 0;
    DType dtype = DType::fp32;
    void* context = nullptr;  // what the variant's open() returned
    // From one row to the next, in elements: k, n and n, or more where the variant pads.
    std::int64_t lda = 0, ldb = 0, ldc = 0;
};

// What C is to be.
enum class GemmTask : unsigned char {
    product,           // A·B
    product_bias_gelu  // GELU(A·B + bias), the bias added to every row; GELU in its tanh form
};

struct GemmVariant {
    const char* name = "";
    const char* title = "";
    std::vector<DType> dtypes;  // the first is the default
    const char* expected = "";  // KernelDef::expected
    const char* twin = "";
    int rung = 0;
    bool is_default = false;
    std::int64_t default_shape[3] = {4096, 4096, 4096};  // m, n, k
    GemmTask task = GemmTask::product;
    // The extents of the matrices in memory are rounded up to multiples of this; what is added is zero in A
    // and B. The task, and so FLOPs and minimum bytes, stays that of the extents asked for.
    std::int32_t padding = 1;
    double (*extra_device_bytes)(const GemmCall&) = nullptr;  // beyond matrices and bias; null: 0
    Geometry (*geometry)(const GemmCall&) = nullptr;          // null: a library chooses
    int (*launches)(const GemmCall&) = nullptr;               // kernels that launch() enqueues; null: 1
    // Throws no error: returns why this shape or dtype cannot run, or null.
    const char* (*refuses)(const GemmCall&) = nullptr;
    Needs needs;
    void (*launch)(const GemmCall&) = nullptr;  // null in a build without CUDA
    // Once per workload, when the matrices are there and before anything is timed.
    void* (*open)(const GemmCall&) = nullptr;
    void (*close)(void*) = nullptr;
};

struct RegisterGemm {
    explicit RegisterGemm(const GemmVariant& variant);
};

// The type of C's elements for inputs of `dtype`: itself, or BF16 of FP8.
DType product_dtype(DType dtype);

// `extent` rounded up to a multiple of `padding`. Exact in 64 bits.
constexpr std::int64_t padded_extent(std::int64_t extent, std::int64_t padding) {
    return (extent + padding - 1) / padding * padding;
}

}  // namespace kprof
