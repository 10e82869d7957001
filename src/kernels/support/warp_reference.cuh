// References of outputs that each take a walk over a row: a warp for each element.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/variant.hpp"

namespace kprof {

template <typename Expected>
__global__ void expect_elements_by_warps(const std::int64_t* groups, std::int64_t values, std::int64_t size,
                                         std::int64_t outputs, double* expected, Expected value_at) {
    const int warps = static_cast<int>(blockDim.x) / warp_size;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * warps;
    for (std::int64_t i =
             static_cast<std::int64_t>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / warp_size;
         i < values; i += stride) {
        const std::int64_t element = groups[i / size] * size + i % size;
        if (element >= outputs) continue;
        const double value = value_at(element, lane);
        if (lane == 0) expected[i] = value;
    }
}

// Fills call.expected: value_at(i, lane), called by all lanes of a warp, is the expected value of element i
// in lane 0 (a functor with a __device__ call).
template <typename Expected>
void expect_each_by_warps(const ReferenceCall& call, std::int64_t outputs, Expected value_at) {
    const std::int64_t values = call.count * call.size, blocks = (values + 7) / 8;
    expect_elements_by_warps<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256>>>(
        call.groups, values, call.size, outputs, call.expected, value_at);
    check_launch("expect_elements_by_warps");
}

}  // namespace kprof
