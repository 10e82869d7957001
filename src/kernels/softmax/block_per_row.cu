// One block a row with 16-byte loads, and a tree in shared memory for the largest and for the sum: at twenty
// barriers a row, 32 warps wait for each other, while hardly a load is on its way. The second and third pass
// find the row in the caches.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/row_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/row_block.cuh"
#include "kernels/support/vector_access.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T, int width>
__global__ void __launch_bounds__(block_row_threads)
    softmax_block(const T* in, T* out, std::int64_t columns) {
    __shared__ float shared[block_row_threads];
    const BlockRow<T, width> row(columns);
    float largest = -INFINITY;
    row.each(in, [&](unsigned, const auto& x) {
        for (int i = 0; i < width; ++i) largest = fmaxf(largest, to_float(x.at[i]));
    });
    largest = block_tree(largest, shared, Largest());
    const float total = row.sum(in, [&](float x) { return __expf(x - largest); });
    const float scale = 1 / block_tree(total, shared, Sum());
    row.write(in, out, [&](unsigned, float x) { return __expf(x - largest) * scale; });
}

static void launch(const Call& call) {
    const Geometry g = block_per_row_geometry(call);
    with_vectors(call, call.extent[row_columns], [&](auto element, auto width) {
        using T = decltype(element);
        softmax_block<T, decltype(width)::value><<<grid_of(g), block_of(g)>>>(
            call.as<const T>(row_in), call.as<T>(row_out), call.extent[row_columns]);
    });
    check_launch("softmax_block");
}
#endif

static Variant variant() {
    Variant v = softmax_variant();
    v.name = "block-per-row";
    v.title = "softmax, one block a row: tree of reductions, three passes";
    v.expected = "barriers";
    v.twin = "warp";
    v.rung = 2;
    v.geometry = block_per_row_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
