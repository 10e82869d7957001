// The grid of the elementwise kernels in vectors of 16 bytes (vector_map.cuh).
#pragma once

#include "core/dtype.hpp"
#include "kernels/support/geometry.hpp"

namespace kprof {

// A thread for each whole vector of n elements, and one for each element that fills none.
inline Geometry map_geometry(std::int64_t n, DType dtype) {
    const std::int64_t width = dtype == DType::bf16 ? 8 : 4;
    return line_geometry(n / width + n % width, 128);
}

}  // namespace kprof
