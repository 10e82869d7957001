// Blocks so large (1024 threads of 32 numbers each) that an SM holds one at a time, and 133 of them for 132
// SMs: when all have ended, one block runs alone for as long again.
#include "kernels/support/grid_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/grid_steps.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 1024;
constexpr int per_thread = 32;

Geometry geometry(const Call& call) {
    return grid_tiles(call, threads, per_thread);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    grid_tail(const float* in, float* out, std::int64_t n, int steps, GridMap map) {
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (threads * per_thread);
    step_tile<threads, per_thread>(in, out, n, first, steps, map);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    grid_tail<<<grid_of(g), block_of(g)>>>(call.as<const float>(grid_in), call.as<float>(grid_out),
                                           call.extent[grid_n], static_cast<int>(call.extent[grid_steps]),
                                           grid_map);
    check_launch("grid_tail");
}
#endif

static Variant variant() {
    Variant v = grid_steps_variant();
    v.name = "tail";
    v.title = "133 blocks, one to an SM at a time";
    v.default_shape = {4358144, 4096};
    v.expected = "tail";
    v.twin = "whole-waves";
    v.rung = 3;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
