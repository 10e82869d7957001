// One block of 1,024 threads a row, however long it is: 16-byte loads, and a tree in shared memory that has a
// barrier after every step.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/long_sum.cuh"
#include "kernels/support/row_family.hpp"

namespace kprof {

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct Largest {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// In every thread: all threads' values combined. Ten steps, at each of which 32 warps wait for the slowest.
template <typename Combine>
__device__ inline float block_tree(float value, float* shared, Combine combine) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = block_row_threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    const float result = shared[0];
    __syncthreads();
    return result;
}

// The block's row of a matrix, walked by all threads in vectors of `width` elements.
template <typename T, int width>
struct BlockRow {
    using Vector = Pack<T, width>;
    std::int64_t start;
    unsigned columns;

    __device__ explicit BlockRow(std::int64_t columns)
        : start(static_cast<std::int64_t>(blockIdx.x) * columns), columns(static_cast<unsigned>(columns)) {}

    // f(first column, vector) for each of the thread's vectors.
    template <typename F>
    __device__ void each(const T* in, F f) const {
        for (unsigned c = threadIdx.x * width; c < columns; c += block_row_threads * width) {
            // A copy: through a reference to memory the compiler would load element by element.
            const Vector x = *reinterpret_cast<const Vector*>(in + start + c);
            f(c, x);
        }
    }
    // The thread's share of the sum of f(element).
    template <typename F>
    __device__ float sum(const T* in, F f) const {
        LongSum total;
        each(in, [&](unsigned, const Vector& x) {
            float part = 0;
            for (int i = 0; i < width; ++i) part += f(to_float(x.at[i]));
            total.add(part);
        });
        return total.sum;
    }
    // out = f(column, element) for the thread's vectors.
    template <typename F>
    __device__ void write(const T* in, T* out, F f) const {
        each(in, [&](unsigned c, Vector x) {
            for (int i = 0; i < width; ++i) x.at[i] = from_float<T>(f(c + i, to_float(x.at[i])));
            *reinterpret_cast<Vector*>(out + start + c) = x;
        });
    }
};

}  // namespace kprof
