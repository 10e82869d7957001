// The step of launch, and all of the steps in FP64.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/launch_family.hpp"

namespace kprof {

__global__ void launch_expected(const float* in, double a, double b, std::int64_t applied,
                                const std::int64_t* groups, std::int64_t count, std::int64_t size,
                                std::int64_t n, double* expected) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         at < count * size; at += stride) {
        const std::int64_t i = groups[at / size] * size + at % size;
        if (i >= n) continue;
        double x = static_cast<double>(in[i]);
        for (std::int64_t k = 0; k < applied; ++k) x = a * x + b;
        expected[at] = x;
    }
}

void launch_reference(const ReferenceCall& call) {
    const std::int64_t steps = call.call.extent[launch_steps];
    launch_expected<<<2048, 256>>>(call.call.as<const float>(launch_in), launch_map.a, launch_map.b,
                                   steps * launch_inner, call.groups, call.count, call.size,
                                   call.call.extent[launch_n], call.expected);
    check_launch("launch_expected");
}

}  // namespace kprof
#endif
