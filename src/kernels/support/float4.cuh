// Four floats at a time, where an array may end within the four.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

// x[4 i ... 4 i + 3], zeros from n on. x: 16-byte aligned.
__device__ inline float4 four_at(const float* x, std::int64_t i, std::int64_t n) {
    if (4 * i + 4 <= n) return reinterpret_cast<const float4*>(x)[i];
    const auto at = [&](std::int64_t j) { return j < n ? x[j] : 0.0F; };
    return make_float4(at(4 * i), at(4 * i + 1), at(4 * i + 2), at(4 * i + 3));
}

__device__ inline float sum_of(float4 v) {
    return (v.x + v.y) + (v.z + v.w);
}

}  // namespace kprof
