// References of outputs whose elements can be computed one by one.
#pragma once

#include "kernels/support/launch_check.hpp"
#include "kernels/support/variant.hpp"

namespace kprof {

template <typename Expected>
__global__ void expect_elements(const std::int64_t* groups, std::int64_t values, std::int64_t size,
                                std::int64_t outputs, double* expected, Expected value_at) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < values;
         i += stride) {
        const std::int64_t element = groups[i / size] * size + i % size;
        if (element < outputs) expected[i] = value_at(element);
    }
}

// Fills call.expected: value_at(i) is the expected value of element i (a functor with a __device__ call).
template <typename Expected>
void expect_each(const ReferenceCall& call, std::int64_t outputs, Expected value_at) {
    const std::int64_t values = call.count * call.size, blocks = (values + 255) / 256;
    expect_elements<<<static_cast<unsigned>(blocks < 4096 ? blocks : 4096), 256>>>(
        call.groups, values, call.size, outputs, call.expected, value_at);
    check_launch("expect_elements");
}

}  // namespace kprof
