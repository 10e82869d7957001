// One warp a row, read once into registers: the squares are summed by shuffles, no barrier and no second
// pass. Rows that are longer than the registers are read twice.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/row_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/rmsnorm_row.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T, int width>
__global__ void __launch_bounds__(warp_row_threads, warp_row_blocks)
    rmsnorm_warp(const T* in, const T* weight, T* out, std::int64_t rows, unsigned columns) {
    const std::int64_t row = row_of_warp();
    if (row >= rows) return;
    in += row * columns;
    out += row * columns;
    normalise_row<width>(in, weight, out, columns);
}

static void launch(const Call& call) {
    const std::int64_t rows = call.extent[row_rows], columns = call.extent[row_columns];
    const Geometry g = warp_per_row_geometry(rows, warp_size);
    with_vectors(call, columns, [&](auto element, auto width) {
        using T = decltype(element);
        rmsnorm_warp<T, decltype(width)::value>
            <<<grid_of(g), block_of(g)>>>(call.as<const T>(row_in), call.as<const T>(row_weight),
                                          call.as<T>(row_out), rows, static_cast<unsigned>(columns));
    });
    check_launch("rmsnorm_warp");
}
#endif

static Variant variant() {
    Variant v = rmsnorm_variant();
    v.name = "warp";
    v.title = "RMS norm, one warp a row, held in registers";
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
