// What all variants of the product C = A·B share. A variant's .cu states its facts in a GemmVariant; the
// rest (work, memory, data, verification) is made from them here. C++17 and light: every gemm .cu includes
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.hpp"
#include "kernels/support/geometry.hpp"

namespace kprof {

// One product on the device. A is m × k, B is k × n, C is m × n: all row-major, without padding, and stored
// in the dtype (TF32 in 4 bytes). Arithmetic accumulates in FP32.
struct GemmCall {
    const void* a = nullptr;
    const void* b = nullptr;
    void* c = nullptr;
    std::int32_t m = 0, n = 0, k = 0;
    DType dtype = DType::fp32;
    void* context = nullptr;  // what the variant's open() returned
};

struct GemmVariant {
    const char* name = "";
    const char* title = "";
    std::vector<DType> dtypes;  // the first is the default
    const char* expected = "";  // KernelDef::expected
    const char* twin = "";
    int rung = 0;
    bool is_default = false;
    double extra_device_bytes = 0;                    // beyond the three matrices
    Geometry (*geometry)(const GemmCall&) = nullptr;  // null: a library chooses
    void (*launch)(const GemmCall&) = nullptr;        // null in a build without CUDA
    void* (*open)() = nullptr;                        // once per workload, before anything is timed
    void (*close)(void*) = nullptr;
};

struct RegisterGemm {
    explicit RegisterGemm(const GemmVariant& variant);
};

}  // namespace kprof
