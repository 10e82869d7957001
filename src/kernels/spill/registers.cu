// The steps of local-array with a dimension that the compiler knows: every loop is unrolled, every index is a
// constant, and matrix and vectors stay in registers. The FMA pipe is the limit.
#include "kernels/support/spill_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(spill_block)
    spill_registers(const float* matrices, const float* start, float* out, std::int64_t systems, int steps,
                    float step_length) {
    constexpr int dim = spill_dim;
    const std::int64_t system = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (system >= systems) return;
    float a[dim * dim], v[dim], slope[dim];
#pragma unroll
    for (int i = 0; i < dim * dim; ++i) a[i] = matrices[i * systems + system];
#pragma unroll
    for (int i = 0; i < dim; ++i) v[i] = start[i * systems + system];
    for (int s = 0; s < steps; ++s) {
#pragma unroll
        for (int i = 0; i < dim; ++i) {
            float sum = 0;
#pragma unroll
            for (int j = 0; j < dim; ++j) sum = fmaf(a[i * dim + j], v[j], sum);
            slope[i] = sum;
        }
#pragma unroll
        for (int i = 0; i < dim; ++i) v[i] = fmaf(step_length, slope[i], v[i]);
    }
#pragma unroll
    for (int i = 0; i < dim; ++i) out[i * systems + system] = v[i];
}

static void launch(const Call& call) {
    const Geometry g = line_geometry(call.extent[spill_systems], spill_block);
    const std::int64_t steps = call.extent[spill_steps];
    spill_registers<<<grid_of(g), block_of(g)>>>(
        call.as<const float>(spill_matrices), call.as<const float>(spill_start), call.as<float>(spill_out),
        call.extent[spill_systems], static_cast<int>(steps), spill_step_length(steps));
    check_launch("spill_registers");
}
#endif

static Variant variant() {
    Variant v = spill_variant();
    v.name = "registers";
    v.title = "a small matrix per thread, loops unrolled: registers";
    v.expected = "at_limit:fma";
    v.rung = 3;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
