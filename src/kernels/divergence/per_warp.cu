// Lanes take elements as they come, 64 in a row of one side: the branch is the same for a whole warp, and the
// FMA pipe is the limit.
#include "kernels/support/divergence_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/divergence_sides.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(divergence_threads)
    divergence_per_warp(const float* x, float* y, std::int64_t n, float decay, float shift, int rounds) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = divergence_of(i, x[i], decay, shift, rounds);
}

static void launch(const Call& call) {
    const Geometry g = line_geometry(call.extent[0], divergence_threads);
    divergence_per_warp<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1),
                                                     call.extent[0], divergence_decay, divergence_shift,
                                                     divergence_rounds);
    check_launch("divergence_per_warp");
}
#endif

static Variant variant() {
    Variant v = divergence_variant();
    v.name = "per-warp";
    v.title = "a warp takes one side of a branch";
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
