// Each thread reads an element and writes it to its place: reads run along rows, writes down a column, one
// sector of 32 bytes for every 4 written.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/transpose_family.hpp"

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return transpose_geometry(call, transpose_tile, 0);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void transpose_naive(const float* in, float* out, std::int64_t rows, std::int64_t columns) {
    const std::int64_t tile_row =
        (static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * transpose_tile;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * transpose_tile + threadIdx.x;
    if (column >= columns) return;
#pragma unroll
    for (int y = threadIdx.y; y < transpose_tile; y += transpose_rows) {
        const std::int64_t row = tile_row + y;
        if (row < rows) out[column * rows + row] = in[row * columns + column];
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    transpose_naive<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1), call.extent[0],
                                                 call.extent[1]);
    check_launch("transpose_naive");
}
#endif

static Variant variant() {
    Variant v = transpose_variant();
    v.name = "naive";
    v.title = "rows read, columns written";
    v.expected = "coalescing";
    v.twin = "smem-conflict";
    v.rung = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
