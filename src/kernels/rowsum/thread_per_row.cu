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
__global__ void rowsum_thread(const T* in, float* out, std::int64_t rows, std::int64_t columns) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * thread_row_threads + threadIdx.x;
    if (row >= rows) return;
    const T* x = in + row * columns;
    LongSum total;
    for (std::int64_t c = 0; c < columns; ++c) total.add(to_float(x[c]));
    out[row] = total.sum;
}

static void launch(const Call& call) {
    const Geometry g = thread_per_row_geometry(call);
    with_element(call, [&](auto element) {
        using T = decltype(element);
        rowsum_thread<T><<<grid_of(g), block_of(g)>>>(call.as<const T>(row_in), call.as<float>(row_out),
                                                      call.extent[row_rows], call.extent[row_columns]);
    });
    check_launch("rowsum_thread");
}
#endif

static Variant variant() {
    Variant v = rowsum_variant();
    v.name = "thread-per-row";
    v.title = "sum of each row, one thread a row";
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
