// The map of fp32, computed in FP64 although input, output and the wanted accuracy are FP32: an H200 has half
// as many FP64 lanes, most other GPUs far fewer.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_fp64(const float* x, float* out, std::int64_t n, int steps, Mirror m) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double a = m.a, b = m.b;
    double value = x[i];
#pragma unroll 64
    for (int s = 0; s < steps; ++s) value = fma(a, value, b);
    out[i] = static_cast<float>(value);
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    pipes_fp64<<<grid_of(g), block_of(g)>>>(call.as<const float>(pipes_x), call.as<float>(pipes_out),
                                            call.extent[pipes_n], static_cast<int>(call.extent[pipes_steps]),
                                            pipes_mirror);
    check_launch("pipes_fp64");
}
#endif

static Variant variant() {
    Variant v = pipes_mirror_variant();
    v.name = "fp64";
    v.title = "a chain of multiply-adds on FP32 data, computed in FP64";
    v.expected = "wrong_precision";
    v.twin = "fp32";
    v.rung = 1;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
