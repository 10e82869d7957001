// The systems of spill in FP64, one thread per expected element.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/spill_family.hpp"

namespace kprof {

__global__ void spill_expected(const float* matrices, const float* start, std::int64_t systems,
                               std::int64_t steps, double step_length, const std::int64_t* groups,
                               std::int64_t count, std::int64_t size, double* expected) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         at < count * size; at += stride) {
        const std::int64_t element = groups[at / size] * size + at % size;
        if (element >= spill_dim * systems) continue;
        const std::int64_t system = element % systems, wanted = element / systems;
        double v[spill_dim], slope[spill_dim], result = 0;
        for (int i = 0; i < spill_dim; ++i) v[i] = static_cast<double>(start[i * systems + system]);
        for (std::int64_t s = 0; s < steps; ++s) {
            for (int i = 0; i < spill_dim; ++i) {
                slope[i] = 0;
                for (int j = 0; j < spill_dim; ++j) {
                    slope[i] += static_cast<double>(matrices[(i * spill_dim + j) * systems + system]) * v[j];
                }
            }
            for (int i = 0; i < spill_dim; ++i) v[i] += step_length * slope[i];
        }
        for (int i = 0; i < spill_dim; ++i) result = i == wanted ? v[i] : result;
        expected[at] = result;
    }
}

void spill_reference(const ReferenceCall& call) {
    const Call& c = call.call;
    const std::int64_t steps = c.extent[spill_steps];
    spill_expected<<<2048, 128>>>(c.as<const float>(spill_matrices), c.as<const float>(spill_start),
                                  c.extent[spill_systems], steps, spill_step_length(steps), call.groups,
                                  call.count, call.size, call.expected);
    check_launch("spill_expected");
}

}  // namespace kprof
#endif
