// One thread walks a row: the lanes of a warp read addresses a row apart, so that each load asks for 32
// sectors of which it uses 4 bytes each.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/row_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/long_sum.cuh"
#include "kernels/support/vector_access.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T>
__global__ void rmsnorm_thread(const T* in, const T* weight, T* out, std::int64_t rows,
                               std::int64_t columns) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * thread_row_threads + threadIdx.x;
    if (row >= rows) return;
    const T* x = in + row * columns;
    T* y = out + row * columns;
    LongSum squares;
    for (std::int64_t c = 0; c < columns; ++c) squares.add(to_float(x[c]) * to_float(x[c]));
    const float scale = rsqrtf(squares.sum / static_cast<float>(columns) + row_epsilon);
    for (std::int64_t c = 0; c < columns; ++c)
        y[c] = from_float<T>(to_float(x[c]) * scale * to_float(weight[c]));
}

static void launch(const Call& call) {
    const Geometry g = thread_per_row_geometry(call);
    with_element(call, [&](auto element) {
        using T = decltype(element);
        rmsnorm_thread<T><<<grid_of(g), block_of(g)>>>(call.as<const T>(row_in), call.as<const T>(row_weight),
                                                       call.as<T>(row_out), call.extent[row_rows],
                                                       call.extent[row_columns]);
    });
    check_launch("rmsnorm_thread");
}
#endif

static Variant variant() {
    Variant v = rmsnorm_variant();
    v.name = "thread-per-row";
    v.title = "RMS norm, one thread a row";
    v.expected = "coalescing";
    v.twin = "block-per-row";
    v.rung = 1;
    v.geometry = thread_per_row_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
