// A block per tile of few-blocks: 2048 of them, eight or more to each SM at once.
#include "kernels/support/grid_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/grid_steps.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;
constexpr int per_thread = 8;

Geometry geometry(const Call& call) {
    return grid_tiles(call, threads, per_thread);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    grid_enough_blocks(const float* in, float* out, std::int64_t n, int steps, GridMap map) {
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (threads * per_thread);
    step_tile<threads, per_thread>(in, out, n, first, steps, map);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    grid_enough_blocks<<<grid_of(g), block_of(g)>>>(call.as<const float>(grid_in), call.as<float>(grid_out),
                                                    call.extent[grid_n],
                                                    static_cast<int>(call.extent[grid_steps]), grid_map);
    check_launch("grid_enough_blocks");
}
#endif

static Variant variant() {
    Variant v = grid_steps_variant();
    v.name = "enough-blocks";
    v.title = "a block per tile";
    v.default_shape = {4194304, 4096};
    v.expected = "at_limit:fma";
    v.rung = 2;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
