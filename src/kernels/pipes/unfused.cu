// A turn of complex numbers with multiplications and additions kept apart, as with --fmad=false or where code
// rounds in between: eight instructions a step where four multiply-adds would do.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_unfused(const float* x, float* out, std::int64_t n, int steps, Turn t) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t half = (n + 1) / 2;
    if (i >= half) return;
    const bool both = i + half < n;
    float re[2] = {x[i], both ? x[i + half] : 0}, im[2] = {0, 0};
#pragma unroll 8
    for (int s = 0; s < steps; ++s) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            // The intrinsics are never fused by the compiler.
            const float re_re = __fmul_rn(t.cosine, re[k]), im_im = __fmul_rn(t.sine, im[k]);
            const float re_im = __fmul_rn(t.sine, re[k]), im_re = __fmul_rn(t.cosine, im[k]);
            re[k] = __fadd_rn(__fadd_rn(re_re, -im_im), t.c_re);
            im[k] = __fadd_rn(__fadd_rn(re_im, im_re), t.c_im);
        }
    }
    out[i] = re[0];
    if (both) out[i + half] = re[1];
}

static void launch(const Call& call) {
    const Geometry g = pipes_turn_geometry(call);
    pipes_unfused<<<grid_of(g), block_of(g)>>>(call.as<const float>(pipes_x), call.as<float>(pipes_out),
                                               call.extent[pipes_n],
                                               static_cast<int>(call.extent[pipes_steps]), pipes_turn());
    check_launch("pipes_unfused");
}
#endif

static Variant variant() {
    Variant v = pipes_turn_variant();
    v.name = "unfused";
    v.title = "complex turns, multiplication and addition apart";
    v.expected = "unfused_math";
    v.twin = "fma";
    v.rung = 6;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
