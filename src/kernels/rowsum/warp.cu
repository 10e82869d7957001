// One warp a row: 16 loads of 16 bytes a lane on their way together, then five shuffles. No barrier.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/row_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/row_warp.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T, int width>
__global__ void __launch_bounds__(warp_row_threads, warp_row_blocks)
    rowsum_warp(const T* in, float* out, std::int64_t rows, unsigned columns) {
    const std::int64_t row = row_of_warp();
    if (row >= rows) return;
    in += row * columns;
    WarpStretch<T, width> x;
    LongSum total;
    each_stretch(x, in, columns, false,
                 [&](unsigned) { total.add(x.sum([](float value) { return value; })); });
    if (threadIdx.x % warp_size == 0) out[row] = total.sum;
}

static void launch(const Call& call) {
    const std::int64_t rows = call.extent[row_rows], columns = call.extent[row_columns];
    const Geometry g = warp_per_row_geometry(rows, warp_size);
    with_vectors(call, columns, [&](auto element, auto width) {
        using T = decltype(element);
        rowsum_warp<T, decltype(width)::value><<<grid_of(g), block_of(g)>>>(
            call.as<const T>(row_in), call.as<float>(row_out), rows, static_cast<unsigned>(columns));
    });
    check_launch("rowsum_warp");
}
#endif

static Variant variant() {
    Variant v = rowsum_variant();
    v.name = "warp";
    v.title = "sum of each row, one warp a row, shuffles";
    v.expected = "at_limit:dram";
    v.rung = 3;
    v.is_default = true;
    v.geometry = warp_per_row_facts;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
