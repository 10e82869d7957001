// One step of launch as a kernel of its own.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/launch_family.hpp"

namespace kprof {

__global__ void launch_step(const float* from, float* to, std::int64_t n, LaunchMap map) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = from[i];
#pragma unroll
    for (int k = 0; k < launch_inner; ++k) x = fmaf(map.a, x, map.b);
    to[i] = x;
}

void launch_steps_on(void* stream, const Call& call, std::int64_t steps) {
    const Geometry g = line_geometry(call.extent[launch_n], launch_block);
    const float* from = call.as<const float>(launch_in);
    for (std::int64_t s = 0; s < steps; ++s) {
        launch_step<<<grid_of(g), block_of(g), 0, static_cast<Stream>(stream)>>>(
            from, call.as<float>(launch_out), call.extent[launch_n], launch_map);
        check_launch("launch_step");
        from = call.as<const float>(launch_out);
    }
}

}  // namespace kprof
#endif
