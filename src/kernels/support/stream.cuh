// The way through memory of the float4 variants: one vector of 16 bytes of each input a thread, nothing else.
// On an H200 at 1 GiB this plain form is the fastest: 4.25 TB/s of reads and writes, what the driver's own
// copy reaches. Two vectors a thread give 4.14, four 4.05 (reads and writes then come in longer bursts at
// each bank, and memory turns around less well), loads that pass L1 by with several a thread 3.87, a grid
// that stays on the SMs 3.7 to 3.98.
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/stream_variants.hpp"

namespace kprof {

// out[i] = f(in...[i]) for i < n. f takes and returns floats; it moves bits unchanged where it only returns
// its argument. Launched with vector_geometry(): a thread a vector, and one for each element that fills none.
template <typename F, typename... In>
__device__ inline void stream(std::int64_t n, float* out, F f, const In*... in) {
    const std::int64_t vectors = n / 4;
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * vector_threads + threadIdx.x;
    if (i < vectors) {
        reinterpret_cast<float4*>(out)[i] = [&](auto... v) {
            return make_float4(f(v.x...), f(v.y...), f(v.z...), f(v.w...));
        }(reinterpret_cast<const float4*>(in)[i]...);
    } else {
        const std::int64_t rest = vectors * 4 + (i - vectors);
        if (rest < n) out[rest] = f(in[rest]...);
    }
}

}  // namespace kprof
