// The trap: twice the occupancy of trap-low, won by walking five lists at once instead of 16. Fewer registers
// make room for warps, but memory was busy already, and nothing is gained.
#include "kernels/support/occupancy_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/occupancy_walk.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 128;

Geometry geometry(const Call& call) {
    return occupancy_geometry(call, threads, 5);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    occupancy_trap_high(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
                        std::int64_t lists, int hops) {
    walk_lists<5>(pages, heads, weights, out, lists, hops);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    occupancy_trap_high<<<grid_of(g), block_of(g)>>>(
        call.as<const Quad>(occupancy_pages), call.as<const int>(occupancy_heads),
        call.as<const Quad>(occupancy_weights), call.as<Quad>(occupancy_out), call.extent[occupancy_lists],
        static_cast<int>(call.extent[occupancy_hops]));
    check_launch("occupancy_trap_high");
}
#endif

static Variant variant() {
    Variant v = occupancy_variant();
    v.name = "trap-high";
    v.title = "five lists a warp: twice the warps of trap-low, no gain";
    v.expected = "at_limit:dram";
    v.rung = 6;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
