// The means of registers-hungry with a division at the end instead of weights that are normalised before: a
// thread holds one weight at a time, and 64 warps an SM hide the latency of their pages.
#include "kernels/support/occupancy_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/occupancy_walk.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 128;

Geometry geometry(const Call& call) {
    return occupancy_geometry(call, threads, 1);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    occupancy_registers_bounded(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
                                std::int64_t lists, int hops) {
    walk_lists<1>(pages, heads, weights, out, lists, hops);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    occupancy_registers_bounded<<<grid_of(g), block_of(g)>>>(
        call.as<const Quad>(occupancy_pages), call.as<const int>(occupancy_heads),
        call.as<const Quad>(occupancy_weights), call.as<Quad>(occupancy_out), call.extent[occupancy_lists],
        static_cast<int>(call.extent[occupancy_hops]));
    check_launch("occupancy_registers_bounded");
}
#endif

static Variant variant() {
    Variant v = occupancy_variant();
    v.name = "registers-bounded";
    v.title = "one weight at a time in registers: 64 warps an SM";
    v.expected = "at_limit:dram";
    v.rung = 2;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
