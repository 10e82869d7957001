// x -> a x + b in FP32, a fused multiply-add a step and nothing else: 16 warps a scheduler hide the latency
// of each thread's chain, and the FMA pipe is the limit.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_fp32(const float* x, float* out, std::int64_t n, int steps, Mirror m) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
#pragma unroll 64
    for (int s = 0; s < steps; ++s) value = fmaf(m.a, value, m.b);
    out[i] = value;
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    pipes_fp32<<<grid_of(g), block_of(g)>>>(call.as<const float>(pipes_x), call.as<float>(pipes_out),
                                            call.extent[pipes_n], static_cast<int>(call.extent[pipes_steps]),
                                            pipes_mirror);
    check_launch("pipes_fp32");
}
#endif

static Variant variant() {
    Variant v = pipes_mirror_variant();
    v.name = "fp32";
    v.title = "a chain of multiply-adds in FP32";
    v.expected = "at_limit:fma";
    v.rung = 2;
    v.is_default = true;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
