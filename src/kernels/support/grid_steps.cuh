// A tile of the task `steps` (grid_family.hpp).
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/grid_family.hpp"

namespace kprof {

// Takes threads x per_thread numbers from `first` on through all steps: per_thread independent chains a
// thread, in registers. Neighbouring threads have neighbouring numbers.
template <int threads, int per_thread>
__device__ inline void step_tile(const float* in, float* out, std::int64_t n, std::int64_t first, int steps,
                                 GridMap map) {
    float x[per_thread];
    first += threadIdx.x;
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
        const std::int64_t at = first + i * threads;
        x[i] = at < n ? in[at] : 0.0F;
    }
#pragma unroll 16
    for (int s = 0; s < steps; ++s) {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) x[i] = fmaf(map.a, x[i], map.b);
    }
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
        const std::int64_t at = first + i * threads;
        if (at < n) out[at] = x[i];
    }
}

}  // namespace kprof
