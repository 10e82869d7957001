// Each thread normalises its weights before the walk and keeps them all, 32 x 4 numbers: with some 150
// registers a thread three blocks of 128 threads fit an SM, and 12 warps with a page each in flight cannot
// hide the latency of memory.
#include "kernels/support/occupancy_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/occupancy_walk.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 128;
constexpr int most_hops = 32;

Geometry geometry(const Call& call) {
    return occupancy_geometry(call, threads, 1);
}

const char* refuses(const Call& call) {
    if (call.extent[occupancy_hops] > most_hops) {
        return "hops must be at most 32: their weights lie in registers";
    }
    return occupancy_variant().refuses(call);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    occupancy_registers_hungry(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
                               std::int64_t lists, int hops) {
    const std::int64_t list = walker();
    const int lane = lane_of_page();
    if (list >= lists) return;
    Quad weight[most_hops] = {}, total = {}, sum = {};
#pragma unroll
    for (int h = 0; h < most_hops; ++h) {
        if (h >= hops) break;
        weight[h] = weights[h * page_quads + lane];
#pragma unroll
        for (int i = 0; i < 4; ++i) total.at[i] += weight[h].at[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float factor = 1 / total.at[i];
#pragma unroll
        for (int h = 0; h < most_hops; ++h) weight[h].at[i] *= factor;
    }
    int page = heads[list];
#pragma unroll
    for (int h = 0; h < most_hops; ++h) {
        if (h >= hops) break;
        const Quad* at = page_at(pages, page);
        add_product(sum, weight[h], at[lane]);
        page = next_page(at);
    }
    if (lane != page_link) out[list * page_link + lane] = sum;
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    occupancy_registers_hungry<<<grid_of(g), block_of(g)>>>(
        call.as<const Quad>(occupancy_pages), call.as<const int>(occupancy_heads),
        call.as<const Quad>(occupancy_weights), call.as<Quad>(occupancy_out), call.extent[occupancy_lists],
        static_cast<int>(call.extent[occupancy_hops]));
    check_launch("occupancy_registers_hungry");
}
#endif

static Variant variant() {
    Variant v = occupancy_variant();
    v.name = "registers-hungry";
    v.title = "all weights in registers: 12 warps an SM";
    v.expected = "occupancy";
    v.twin = "registers-bounded";
    v.rung = 1;
    v.is_default = true;
    v.geometry = geometry;
    v.refuses = refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
