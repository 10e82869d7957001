// A GemmCall made from a request, and the memory that it needs: arithmetic only.
#pragma once

#include "core/shape.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

// Extents, row lengths and dtype; no pointers yet.
GemmCall gemm_call_of(const GemmVariant& variant, const Shape& shape, DType dtype);

// Elements in memory, with the variant's padding.
struct GemmElements {
    std::int64_t a = 0, b = 0, c = 0;
    std::int64_t bias = 0;  // 0 where the task has none
};
GemmElements gemm_elements(const GemmVariant& variant, const GemmCall& call);

}  // namespace kprof
