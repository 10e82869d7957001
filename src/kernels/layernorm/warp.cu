// One warp a row, read once into registers: mean and variance by shuffles, no barrier and no second pass.
// Rows that are longer than the registers are read twice; the moments of their stretches are merged (Chan,
// Golub, LeVeque 1979).
#include "kernels/support/launch_check.hpp"
#include "kernels/support/row_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/row_warp.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T, int width>
__global__ void __launch_bounds__(warp_row_threads, warp_row_blocks)
    layernorm_warp(const T* in, const T* weight, const T* bias, T* out, std::int64_t rows, unsigned columns) {
    const std::int64_t row = row_of_warp();
    if (row >= rows) return;
    in += row * columns;
    out += row * columns;
    WarpStretch<T, width> x;
    // Of the columns before `from`: their mean, and the squares of their differences from it.
    float mean = 0, squares = 0;
    each_stretch(x, in, columns, false, [&](unsigned from) {
        const float before = static_cast<float>(from);
        const float n = static_cast<float>(columns - from < x.span ? columns - from : x.span);
        const float part_mean = x.sum([](float value) { return value; }) / n;
        const float part = x.sum([&](float value) { return (value - part_mean) * (value - part_mean); });
        const float difference = part_mean - mean, share = n / (before + n);
        mean += difference * share;
        squares += part + difference * difference * before * share;
    });
    const float scale = rsqrtf(squares / static_cast<float>(columns) + row_epsilon);
    each_stretch(x, in, columns, true, [&](unsigned) {
        x.each([&](auto& v, int offset) {
            using Vector = Pack<T, width>;
            const Vector w = *reinterpret_cast<const Vector*>(weight + x.first + offset);
            const Vector b = *reinterpret_cast<const Vector*>(bias + x.first + offset);
            for (int i = 0; i < width; ++i) {
                const float normal = (to_float(v.at[i]) - mean) * scale;
                v.at[i] = from_float<T>(normal * to_float(w.at[i]) + to_float(b.at[i]));
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
        layernorm_warp<T, decltype(width)::value><<<grid_of(g), block_of(g)>>>(
            call.as<const T>(row_in), call.as<const T>(row_weight), call.as<const T>(row_bias),
            call.as<T>(row_out), rows, static_cast<unsigned>(columns));
    });
    check_launch("layernorm_warp");
}
#endif

static Variant variant() {
    Variant v = layernorm_variant();
    v.name = "warp";
    v.title = "layer norm, one warp a row, held in registers";
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
