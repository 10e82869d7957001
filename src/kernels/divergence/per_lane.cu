// Even lanes take elements of one side and odd lanes of the other, so that every warp runs both sides, each
// time with half of its lanes. (Each half reads 64 bytes in a row: memory access stays whole.)
#include "kernels/support/divergence_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/divergence_sides.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(divergence_threads)
    divergence_per_lane(const float* x, float* y, std::int64_t n, float decay, float shift, int rounds) {
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    constexpr int pair = 2 * divergence_side;
    const std::int64_t first = thread / pair * pair, place = thread % pair;
    std::int64_t i = first + place % 2 * divergence_side + place / 2;
    if (first + pair > n) i = thread;  // the last elements make no whole pair of sides: as they come
    if (i < n) y[i] = divergence_of(i, x[i], decay, shift, rounds);
}

static void launch(const Call& call) {
    const Geometry g = line_geometry(call.extent[0], divergence_threads);
    divergence_per_lane<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1),
                                                     call.extent[0], divergence_decay, divergence_shift,
                                                     divergence_rounds);
    check_launch("divergence_per_lane");
}
#endif

static Variant variant() {
    Variant v = divergence_variant();
    v.name = "per-lane";
    v.title = "neighbouring lanes take different sides of a branch";
    v.expected = "divergence";
    v.twin = "per-warp";
    v.rung = 1;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
