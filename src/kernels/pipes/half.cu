// x -> a x + b in FP16, one number at a time: the instruction has room for two, so that half of what the FMA
// pipe could do is left out.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
// Factor and shift come as arguments, so that the instruction takes one of them from constant memory: with
// three registers to read it runs at half its rate.
__global__ void pipes_half(const fp16* x, fp16* out, std::int64_t n, int steps, fp16 a, fp16 b) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    fp16 value = x[i];
#pragma unroll 64
    for (int s = 0; s < steps; ++s) value = __hfma(a, value, b);
    out[i] = value;
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    pipes_half<<<grid_of(g), block_of(g)>>>(call.as<const fp16>(pipes_x), call.as<fp16>(pipes_out),
                                            call.extent[pipes_n], static_cast<int>(call.extent[pipes_steps]),
                                            __float2half(pipes_mirror.a), __float2half(pipes_mirror.b));
    check_launch("pipes_half");
}
#endif

static Variant variant() {
    Variant v = pipes_half_variant();
    v.name = "half";
    v.title = "a chain of multiply-adds in FP16, one number an instruction";
    v.expected = "unfused_math";
    v.twin = "half2";
    v.rung = 10;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
