// Weights in shared memory, of which each block takes what its lists need: 64 warps fit an SM.
#include "kernels/support/occupancy_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/occupancy_walk.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;

Geometry geometry(const Call& call) {
    Geometry g = occupancy_geometry(call, threads, 1);
    g.smem_dynamic = call.extent[occupancy_hops] * occupancy_weight_bytes;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    occupancy_smem_small(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
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
    allow_shared_memory(occupancy_smem_small, static_cast<int>(g.smem_dynamic));
    occupancy_smem_small<<<grid_of(g), block_of(g), static_cast<std::size_t>(g.smem_dynamic)>>>(
        call.as<const Quad>(occupancy_pages), call.as<const int>(occupancy_heads),
        call.as<const Quad>(occupancy_weights), call.as<Quad>(occupancy_out), call.extent[occupancy_lists],
        static_cast<int>(call.extent[occupancy_hops]));
    check_launch("occupancy_smem_small");
}
#endif

static Variant variant() {
    Variant v = occupancy_variant();
    v.name = "smem-small";
    v.title = "shared memory as needed: 64 warps an SM";
    v.expected = "at_limit:dram";
    v.rung = 4;
    v.geometry = geometry;
    v.refuses = occupancy_smem_refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
