// 32 blocks that share out all tiles between them, however many there are: on 132 SMs a hundred have nothing
// to do.
#include "kernels/support/grid_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/grid_steps.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;
constexpr int per_thread = 8;
constexpr std::uint32_t most_blocks = 32;

Geometry geometry(const Call& call) {
    Geometry g = grid_tiles(call, threads, per_thread);
    if (g.grid[0] > most_blocks) g.grid[0] = most_blocks;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    grid_few_blocks(const float* in, float* out, std::int64_t n, int steps, GridMap map) {
    constexpr int tile = threads * per_thread;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * tile;
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * tile; first < n; first += stride) {
        step_tile<threads, per_thread>(in, out, n, first, steps, map);
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    grid_few_blocks<<<grid_of(g), block_of(g)>>>(call.as<const float>(grid_in), call.as<float>(grid_out),
                                                 call.extent[grid_n],
                                                 static_cast<int>(call.extent[grid_steps]), grid_map);
    check_launch("grid_few_blocks");
}
#endif

static Variant variant() {
    Variant v = grid_steps_variant();
    v.name = "few-blocks";
    v.title = "32 blocks for all of the work";
    v.default_shape = {4194304, 4096};
    v.expected = "small_grid";
    v.twin = "enough-blocks";
    v.rung = 1;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
