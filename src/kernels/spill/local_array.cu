// The dimension of the systems comes at run time, as in code that takes any size: the loops cannot be
// unrolled, registers have no index, and so matrix and vectors of each thread live in local memory. Every
// multiply-add loads both of its factors from there, and the matrices of an SM's threads do not fit its L1.
#include "kernels/support/spill_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(spill_block)
    spill_local_array(const float* matrices, const float* start, float* out, std::int64_t systems, int steps,
                      float step_length, int dim) {
    const std::int64_t system = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (system >= systems) return;
    float a[spill_dim * spill_dim], v[spill_dim], slope[spill_dim];
    for (int i = 0; i < dim * dim; ++i) a[i] = matrices[i * systems + system];
    for (int i = 0; i < dim; ++i) v[i] = start[i * systems + system];
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < dim; ++i) {
            float sum = 0;
            for (int j = 0; j < dim; ++j) sum = fmaf(a[i * dim + j], v[j], sum);
            slope[i] = sum;
        }
        for (int i = 0; i < dim; ++i) v[i] = fmaf(step_length, slope[i], v[i]);
    }
    for (int i = 0; i < dim; ++i) out[i * systems + system] = v[i];
}

static void launch(const Call& call) {
    const Geometry g = line_geometry(call.extent[spill_systems], spill_block);
    const std::int64_t steps = call.extent[spill_steps];
    spill_local_array<<<grid_of(g), block_of(g)>>>(
        call.as<const float>(spill_matrices), call.as<const float>(spill_start), call.as<float>(spill_out),
        call.extent[spill_systems], static_cast<int>(steps), spill_step_length(steps), spill_dim);
    check_launch("spill_local_array");
}
#endif

static Variant variant() {
    Variant v = spill_variant();
    v.name = "local-array";
    v.title = "a small matrix per thread, indexed at run time: local memory";
    v.expected = "local_memory";
    v.twin = "registers";
    v.rung = 1;
    v.is_default = true;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
