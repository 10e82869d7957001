// One thread per token, whose whole row is one load: the code of random-narrow and sorted, which differ in
// the order of the row numbers alone.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/gather_family.hpp"

namespace kprof {

template <int width>
__device__ inline void gather_rows(const float* table, const int* index, float* out, std::int64_t tokens) {
    using Row = Pack<float, width>;
    const std::int64_t t = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (t < tokens) reinterpret_cast<Row*>(out)[t] = reinterpret_cast<const Row*>(table)[index[t]];
}

}  // namespace kprof
