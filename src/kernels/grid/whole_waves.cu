// The work of tail in blocks of 128 threads and four numbers each: 8512 of them, so that no SM has more than
// one or two in a hundred more to do than another.
#include "kernels/support/grid_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/grid_steps.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 128;
constexpr int per_thread = 4;

Geometry geometry(const Call& call) {
    return grid_tiles(call, threads, per_thread);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    grid_whole_waves(const float* in, float* out, std::int64_t n, int steps, GridMap map) {
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (threads * per_thread);
    step_tile<threads, per_thread>(in, out, n, first, steps, map);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    grid_whole_waves<<<grid_of(g), block_of(g)>>>(call.as<const float>(grid_in), call.as<float>(grid_out),
                                                  call.extent[grid_n],
                                                  static_cast<int>(call.extent[grid_steps]), grid_map);
    check_launch("grid_whole_waves");
}
#endif

static Variant variant() {
    Variant v = grid_steps_variant();
    v.name = "whole-waves";
    v.title = "8512 small blocks";
    v.default_shape = {4358144, 4096};
    v.expected = "at_limit:fma";
    v.rung = 4;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
