// Loads and stores of what moves at once (a Pack). Plain ones: hints that tell the caches what is not needed
// again cost up to 9 % where loads and stores are mixed (stream.cuh).
#pragma once

#include <type_traits>

#include "kernels/support/device.cuh"
#include "kernels/support/variant.hpp"

namespace kprof {

template <typename T>
constexpr int vector_width = 16 / static_cast<int>(sizeof(T));

template <typename Vector, typename T>
__device__ inline Vector stream_in(const T* from) {
    return *reinterpret_cast<const Vector*>(from);
}

template <typename Vector, typename T>
__device__ inline void stream_out(T* to, const Vector& v) {
    *reinterpret_cast<Vector*>(to) = v;
}

// f(element) with a value of the call's element type: its type is what counts. FP32 and BF16.
template <typename F>
void with_element(const Call& call, F f) {
    if (call.dtype == DType::bf16) {
        f(bf16{});
    } else {
        f(float{});
    }
}

// f(element, width): how many elements one load takes, as a constant. Where rows of `row` elements do not all
// start at a multiple of 16 bytes, it is one.
template <typename F>
void with_vectors(const Call& call, std::int64_t row, F f) {
    with_element(call, [&](auto element) {
        constexpr int width = vector_width<decltype(element)>;
        if (row % width == 0) {
            f(element, std::integral_constant<int, width>{});
        } else {
            f(element, std::integral_constant<int, 1>{});
        }
    });
}

}  // namespace kprof
