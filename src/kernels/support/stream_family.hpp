// What the kernels that stream over n elements share (copy, add): facts in, KernelDef out. C++17 and light.
#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.hpp"
#include "kernels/support/geometry.hpp"

namespace kprof {

// out = f(a) or f(a, b), element by element, on the device. `b` is null for one input.
struct StreamCall {
    const void* a = nullptr;
    const void* b = nullptr;
    void* out = nullptr;
    std::int64_t n = 0;
    DType dtype = DType::fp32;
};

struct StreamVariant {
    const char* family = "";
    const char* name = "";
    const char* title = "";
    std::vector<DType> dtypes;  // the first is the default
    const char* expected = "";  // KernelDef::expected
    const char* twin = "";
    int rung = 0;
    bool is_default = false;
    int inputs = 1;
    double flops_per_element = 0;
    Geometry (*geometry)(const StreamCall&) = nullptr;
    void (*launch)(const StreamCall&) = nullptr;  // null in a build without CUDA
    // Adds the number of wrong elements to *mismatches (device memory). The result of a stream kernel is
    // exact.
    void (*count_mismatches)(const StreamCall&, unsigned long long* mismatches) = nullptr;
};

struct RegisterStream {
    explicit RegisterStream(const StreamVariant& variant);
};

}  // namespace kprof
