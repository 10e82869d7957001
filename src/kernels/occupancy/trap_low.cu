// Occupancy that is low and no fault: each warp walks 16 lists at once, and with 16 pages in flight a few
// warps already keep memory busy.
#include "kernels/support/occupancy_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/occupancy_walk.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 128;

Geometry geometry(const Call& call) {
    return occupancy_geometry(call, threads, 16);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads, 4)
    occupancy_trap_low(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
                       std::int64_t lists, int hops) {
    walk_lists<16>(pages, heads, weights, out, lists, hops);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    occupancy_trap_low<<<grid_of(g), block_of(g)>>>(
        call.as<const Quad>(occupancy_pages), call.as<const int>(occupancy_heads),
        call.as<const Quad>(occupancy_weights), call.as<Quad>(occupancy_out), call.extent[occupancy_lists],
        static_cast<int>(call.extent[occupancy_hops]));
    check_launch("occupancy_trap_low");
}
#endif

static Variant variant() {
    Variant v = occupancy_variant();
    v.name = "trap-low";
    v.title = "16 lists a warp: few warps, memory busy all the same";
    v.expected = "at_limit:dram";
    v.rung = 5;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
