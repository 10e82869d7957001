// The sines and cosines of sfu by polynomials on the FMA pipe, which is allowed because the angles are known
// to stay within a radian: nine instructions a step instead of 16 cycles of the special function unit.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
// Through the zeros of Chebyshev's polynomials on [-1, 1]: errors of 1e-8 and 2e-7, below what sums in FP32
// lose.
__device__ static float sine_over_angle(float square) {
    const float p = fmaf(square, -1.9229617e-4F, 8.3287657e-3F);
    return fmaf(square, fmaf(square, p, -1.6666540e-1F), 9.9999991e-1F);
}
constexpr float cosine_at_zero = 9.9999981e-1F;
__device__ static float cosine_less_first_over_square(float square) {
    return fmaf(square, fmaf(square, -1.3400368e-3F, 4.1636279e-2F), -4.9999393e-1F);
}

__global__ void pipes_sfu_polynomial(const float* x, float* out, std::int64_t n, int steps, float decay) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = x[i], sum = 0;
    while (steps > 0) {
        const int part = steps < 64 ? steps : 64;
        float sines = 0, cosines = 0;
#pragma unroll 16
        for (int s = 0; s < part; ++s) {
            t *= decay;
            const float square = t * t;
            sines = fmaf(t, sine_over_angle(square), sines);
            cosines = fmaf(square, cosine_less_first_over_square(square), cosines);
        }
        sum += sines + fmaf(cosine_at_zero, static_cast<float>(part), cosines);
        steps -= part;
    }
    out[i] = sum;
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    const std::int64_t steps = call.extent[pipes_steps];
    pipes_sfu_polynomial<<<grid_of(g), block_of(g)>>>(call.as<const float>(pipes_x),
                                                      call.as<float>(pipes_out), call.extent[pipes_n],
                                                      static_cast<int>(steps), pipes_decay(steps));
    check_launch("pipes_sfu_polynomial");
}
#endif

static Variant variant() {
    Variant v = pipes_angle_variant();
    v.name = "sfu-polynomial";
    v.title = "sums of sines and cosines by polynomials on the FMA pipe";
    v.expected = "at_limit:fma";
    v.rung = 4;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
