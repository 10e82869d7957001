// The chains of half, two neighbours to a thread and an instruction: twice the work an instruction. The
// compiler spreads packed FP16 over the FMA and the tensor pipe; each is half busy on an H200, because every
// instruction waits for the one before it.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return line_geometry((call.extent[pipes_n] + 1) / 2, pipes_block);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// The last thread of an odd n has one element only.
__global__ void pipes_half2(const fp16* x, fp16* out, std::int64_t n, int steps, __half2 a, __half2 b) {
    const std::int64_t i = 2 * (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const bool both = i + 1 < n;
    __half2 value = both ? *reinterpret_cast<const __half2*>(x + i) : __half2half2(x[i]);
#pragma unroll 64
    for (int s = 0; s < steps; ++s) value = __hfma2(a, value, b);
    if (both) {
        *reinterpret_cast<__half2*>(out + i) = value;
    } else {
        out[i] = __low2half(value);
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    pipes_half2<<<grid_of(g), block_of(g)>>>(call.as<const fp16>(pipes_x), call.as<fp16>(pipes_out),
                                             call.extent[pipes_n], static_cast<int>(call.extent[pipes_steps]),
                                             __float2half2_rn(pipes_mirror.a),
                                             __float2half2_rn(pipes_mirror.b));
    check_launch("pipes_half2");
}
#endif

static Variant variant() {
    Variant v = pipes_half_variant();
    v.name = "half2";
    v.title = "a chain of multiply-adds in FP16, two numbers an instruction";
    v.expected = "latency";
    v.rung = 11;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
