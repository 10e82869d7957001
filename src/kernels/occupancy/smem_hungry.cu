// Weights in shared memory, of which each block takes what the longest list that is ever allowed would need:
// 128 KB where 16 are used. One block of 8 warps fits an SM, too few to hide the latency of their pages.
#include "kernels/support/occupancy_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/occupancy_walk.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;

Geometry geometry(const Call& call) {
    Geometry g = occupancy_geometry(call, threads, 1);
    g.smem_dynamic = occupancy_hops_in_smem * occupancy_weight_bytes;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    occupancy_smem_hungry(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
                          std::int64_t lists, int hops) {
    extern __shared__ Quad weights_here[];
    for (int i = static_cast<int>(threadIdx.x); i < hops * page_quads; i += threads) {
        weights_here[i] = weights[i];
    }
    __syncthreads();
    walk_lists<1>(pages, heads, weights_here, out, lists, hops);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    allow_shared_memory(occupancy_smem_hungry, static_cast<int>(g.smem_dynamic));
    occupancy_smem_hungry<<<grid_of(g), block_of(g), static_cast<std::size_t>(g.smem_dynamic)>>>(
        call.as<const Quad>(occupancy_pages), call.as<const int>(occupancy_heads),
        call.as<const Quad>(occupancy_weights), call.as<Quad>(occupancy_out), call.extent[occupancy_lists],
        static_cast<int>(call.extent[occupancy_hops]));
    check_launch("occupancy_smem_hungry");
}
#endif

static Variant variant() {
    Variant v = occupancy_variant();
    v.name = "smem-hungry";
    v.title = "shared memory for the longest list: 8 warps an SM";
    v.expected = "occupancy";
    v.twin = "smem-small";
    v.rung = 3;
    v.geometry = geometry;
    v.refuses = occupancy_smem_refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
