// RMS norm of one row by one warp: rmsnorm/warp, and the first kernel of rmsnorm-linear/unfused.
#pragma once

#include "kernels/support/row_warp.cuh"

namespace kprof {

// out = in / sqrt(mean of squares + epsilon) · weight; in and out are the warp's row.
template <int width, typename T>
__device__ inline void normalise_row(const T* in, const T* weight, T* out, unsigned columns) {
    WarpStretch<T, width> x;
    LongSum squares;
    each_stretch(x, in, columns, false,
                 [&](unsigned) { squares.add(x.sum([](float value) { return value * value; })); });
    const float scale = rsqrtf(squares.sum / static_cast<float>(columns) + row_epsilon);
    each_stretch(x, in, columns, true, [&](unsigned) {
        x.each([&](auto& v, int offset) {
            const auto w = *reinterpret_cast<const Pack<T, width>*>(weight + x.first + offset);
            for (int i = 0; i < width; ++i) {
                v.at[i] = from_float<T>(to_float(v.at[i]) * scale * to_float(w.at[i]));
            }
            stream_out(out + x.first + offset, v);
        });
    });
}

}  // namespace kprof
