// Elementwise kernels of FP32 or BF16, computed in FP32: one vector of 16 bytes of each input a thread, which
// is what the copies do (stream.cuh says what else was measured).
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/vector_map.hpp"

namespace kprof {

// out[i] = f(in...[i]) for i < n, rounded once; f takes and returns floats. Launched with map_geometry().
template <typename T, typename F, typename... In>
__device__ inline void map_vectors(std::int64_t n, T* out, F f, const In*... in) {
    constexpr int width = 16 / sizeof(T);
    using Vector = Pack<T, width>;
    const std::int64_t vectors = n / width;
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < vectors) {
        reinterpret_cast<Vector*>(out)[i] = [&](auto... v) {
            Vector result;
#pragma unroll
            for (int e = 0; e < width; ++e) result.at[e] = from_float<T>(f(to_float(v.at[e])...));
            return result;
        }(reinterpret_cast<const Vector*>(in)[i]...);
    } else {
        const std::int64_t rest = vectors * width + (i - vectors);
        if (rest < n) out[rest] = from_float<T>(f(to_float(in[rest])...));
    }
}

}  // namespace kprof
