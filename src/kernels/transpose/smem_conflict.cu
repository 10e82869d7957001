// Through a tile of 32 × 128 in shared memory: coalesced both ways, but reading a column of the tile finds
// all of its 32 elements in one bank.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/transpose_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/transpose_tile.cuh"
#endif

namespace kprof {
namespace {

constexpr int padding = 0;

Geometry geometry(const Call& call) {
    return transpose_geometry(call, transpose_wide, transpose_tile * (transpose_wide + padding) * 4);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void transpose_smem_conflict(const float* in, float* out, std::int64_t rows,
                                        std::int64_t columns) {
    transpose_through_tile<padding>(in, out, rows, columns);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    transpose_smem_conflict<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1),
                                                         call.extent[0], call.extent[1]);
    check_launch("transpose_smem_conflict");
}
#endif

static Variant variant() {
    Variant v = transpose_variant();
    v.name = "smem-conflict";
    v.title = "through a 32 x 128 tile in shared memory";
    v.expected = "bank_conflicts";
    v.twin = "smem-padded";
    v.rung = 2;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
