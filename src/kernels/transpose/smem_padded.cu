// Through a tile of 32 × 129 in shared memory: coalesced both ways, and the one column more spreads a column
// of the tile over all banks. Columns of rows that lie 64 KB apart still cost DRAM some of its bandwidth: 68
// % on an H200.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/transpose_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/transpose_tile.cuh"
#endif

namespace kprof {
namespace {

constexpr int padding = 1;

Geometry geometry(const Call& call) {
    return transpose_geometry(call, transpose_wide, transpose_tile * (transpose_wide + padding) * 4);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void transpose_smem_padded(const float* in, float* out, std::int64_t rows, std::int64_t columns) {
    transpose_through_tile<padding>(in, out, rows, columns);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    transpose_smem_padded<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1),
                                                       call.extent[0], call.extent[1]);
    check_launch("transpose_smem_padded");
}
#endif

static Variant variant() {
    Variant v = transpose_variant();
    v.name = "smem-padded";
    v.title = "through a 32 x 129 tile in shared memory: no bank conflicts";
    v.expected = "latency";
    v.rung = 3;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
