// A sine and a cosine a step by the special function unit, which takes 16 of them a cycle and SM: a warp's
// two keep it busy for 16 cycles of its scheduler, while the FMA pipe idles in most of them. The intrinsics
// are the fast ones already.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_sfu(const float* x, float* out, std::int64_t n, int steps, float decay) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = x[i], sum = 0;
    while (steps > 0) {
        // Part sums, so that rounding does not grow with the sum.
        const int part = steps < 64 ? steps : 64;
        float sines = 0, cosines = 0;
#pragma unroll 16
        for (int s = 0; s < part; ++s) {
            t *= decay;
            sines += __sinf(t);
            cosines += __cosf(t);
        }
        sum += sines + cosines;
        steps -= part;
    }
    out[i] = sum;
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    const std::int64_t steps = call.extent[pipes_steps];
    pipes_sfu<<<grid_of(g), block_of(g)>>>(call.as<const float>(pipes_x), call.as<float>(pipes_out),
                                           call.extent[pipes_n], static_cast<int>(steps), pipes_decay(steps));
    check_launch("pipes_sfu");
}
#endif

static Variant variant() {
    Variant v = pipes_angle_variant();
    v.name = "sfu";
    v.title = "sums of sines and cosines by the special function unit";
    v.expected = "special_functions";
    v.twin = "sfu-polynomial";
    v.rung = 3;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
