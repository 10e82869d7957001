// One warp a row, which it keeps in its registers: memory is read once and written once, and no warp waits
// for another.
#pragma once

#include "kernels/support/long_sum.cuh"
#include "kernels/support/row_family.hpp"
#include "kernels/support/vector_access.cuh"

namespace kprof {

// Blocks that an SM has to hold: as many warps as their registers allow, so that 128 KB of FP32 can be on
// their way.
constexpr int warp_row_blocks = 4;

// A stretch of a row: as much of it as the warp holds at once, 64 elements a lane, all of whose loads are on
// their way together. Longer rows take several stretches.
template <typename T, int width>
struct WarpStretch {
    using Vector = Pack<T, width>;
    static constexpr int vectors = 64 / width;
    static constexpr unsigned span = vectors * width * warp_size;  // columns

    Vector held[vectors];
    unsigned first = 0;  // column of the lane's first element
    int left = 0;        // columns from there to the row's end; may be negative
    bool whole = false;  // the row has columns for all of the warp's vectors

    __device__ void load(const T* row, unsigned from, unsigned columns) {
        const unsigned lane = threadIdx.x % warp_size;
        first = from + lane * width;
        left = static_cast<int>(columns - from) - static_cast<int>(lane * width);
        whole = columns - from >= span;
        const T* at = row + first;
        each([&](Vector& v, int offset) { v = stream_in<Vector>(at + offset); });
    }

    // f(vector, offset of its first element from `first`) for each of the lane's vectors that the row has.
    // Apart where that is all of them: most stretches then need no branches.
    template <typename F>
    __device__ void each(F f) {
        if (whole) {
#pragma unroll
            for (int j = 0; j < vectors; ++j) f(held[j], j * warp_size * width);
        } else {
#pragma unroll
            for (int j = 0; j < vectors; ++j) {
                if (j * warp_size * width < left) f(held[j], j * warp_size * width);
            }
        }
    }
    // Over the warp: the sum of f(element).
    template <typename F>
    __device__ float sum(F f) {
        float total = 0;
        each([&](const Vector& v, int) {
            float part = 0;
            for (int i = 0; i < width; ++i) part += f(to_float(v.at[i]));
            total += part;
        });
        return warp_sum(total);
    }
};

// The row of this warp; at or beyond the last for warps that have none.
__device__ inline std::int64_t row_of_warp() {
    return static_cast<std::int64_t>(blockIdx.x) * (warp_row_threads / warp_size) + threadIdx.x / warp_size;
}

// f(first column) for one stretch of the row after the other, each loaded into `x` before; but the only one
// of a row is not loaded `again`.
template <typename T, int width, typename F>
__device__ inline void each_stretch(WarpStretch<T, width>& x, const T* row, unsigned columns, bool again,
                                    F f) {
    for (unsigned from = 0; from < columns; from += x.span) {
        if (!again || columns > x.span) x.load(row, from, columns);
        f(from);
    }
}

}  // namespace kprof
