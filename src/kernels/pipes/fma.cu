// The turn of unfused with every multiplication and addition in one instruction: four a step, and the FMA
// pipe is the limit.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_fma(const float* x, float* out, std::int64_t n, int steps, Turn t) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t half = (n + 1) / 2;
    if (i >= half) return;
    const bool both = i + half < n;
    float re[2] = {x[i], both ? x[i + half] : 0}, im[2] = {0, 0};
#pragma unroll 8
    for (int s = 0; s < steps; ++s) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const float turned = fmaf(t.cosine, re[k], fmaf(-t.sine, im[k], t.c_re));
            im[k] = fmaf(t.sine, re[k], fmaf(t.cosine, im[k], t.c_im));
            re[k] = turned;
        }
    }
    out[i] = re[0];
    if (both) out[i + half] = re[1];
}

static void launch(const Call& call) {
    const Geometry g = pipes_turn_geometry(call);
    pipes_fma<<<grid_of(g), block_of(g)>>>(call.as<const float>(pipes_x), call.as<float>(pipes_out),
                                           call.extent[pipes_n], static_cast<int>(call.extent[pipes_steps]),
                                           pipes_turn());
    check_launch("pipes_fma");
}
#endif

static Variant variant() {
    Variant v = pipes_turn_variant();
    v.name = "fma";
    v.title = "complex turns in fused multiply-adds";
    v.expected = "at_limit:fma";
    v.rung = 7;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
