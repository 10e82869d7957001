// One warp a row, read once into registers: the largest and the sum by shuffles, no barrier and no second
// pass. Rows that are longer than the registers are summed online, the sum being rescaled when a larger
// element comes, and read twice.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/row_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/row_warp.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T, int width>
__global__ void __launch_bounds__(warp_row_threads, warp_row_blocks)
    softmax_warp(const T* in, T* out, std::int64_t rows, unsigned columns) {
    const std::int64_t row = row_of_warp();
    if (row >= rows) return;
    in += row * columns;
    out += row * columns;
    WarpStretch<T, width> x;
    float largest = -INFINITY;
    LongSum total;
    each_stretch(x, in, columns, false, [&](unsigned) {
        const float before = largest;
        x.each([&](const auto& v, int) {
            for (int i = 0; i < width; ++i) largest = fmaxf(largest, to_float(v.at[i]));
        });
        largest = warp_max(largest);
        total.scale(__expf(before - largest));
        total.add(x.sum([&](float value) { return __expf(value - largest); }));
    });
    const float scale = 1 / total.sum;
    each_stretch(x, in, columns, true, [&](unsigned) {
        x.each([&](auto& v, int offset) {
            for (int i = 0; i < width; ++i) {
                v.at[i] = from_float<T>(__expf(to_float(v.at[i]) - largest) * scale);
            }
            stream_out(out + x.first + offset, v);
        });
    });
}

static void launch(const Call& call) {
    const std::int64_t rows = call.extent[row_rows], columns = call.extent[row_columns];
    const Geometry g = warp_per_row_geometry(rows, warp_size);
    with_vectors(call, columns, [&](auto element, auto width) {
        using T = decltype(element);
        softmax_warp<T, decltype(width)::value><<<grid_of(g), block_of(g)>>>(
            call.as<const T>(row_in), call.as<T>(row_out), rows, static_cast<unsigned>(columns));
    });
    check_launch("softmax_warp");
}
#endif

static Variant variant() {
    Variant v = softmax_variant();
    v.name = "warp";
    v.title = "softmax, one warp a row, held in registers";
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
