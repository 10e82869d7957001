// All 480 steps in one kernel: a thread's number never depends on another's, so no step waits for a barrier,
// and numbers stay in registers between the steps. The FMA pipe is the limit.
#include "kernels/support/launch_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void launch_persistent(const float* in, float* out, std::int64_t n, int steps, LaunchMap map) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    for (int s = 0; s < steps; ++s) {
#pragma unroll
        for (int k = 0; k < launch_inner; ++k) x = fmaf(map.a, x, map.b);
    }
    out[i] = x;
}

static void launch(const Call& call) {
    const Geometry g = line_geometry(call.extent[launch_n], launch_block);
    launch_persistent<<<grid_of(g), block_of(g)>>>(call.as<const float>(launch_in),
                                                   call.as<float>(launch_out), call.extent[launch_n],
                                                   static_cast<int>(call.extent[launch_steps]), launch_map);
    check_launch("launch_persistent");
}
#endif

static Variant variant() {
    Variant v = launch_variant();
    v.name = "persistent";
    v.title = "all steps in one kernel";
    v.expected = "at_limit:fma";
    v.rung = 3;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
