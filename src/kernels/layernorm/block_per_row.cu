// One block a row with 16-byte loads, and a tree in shared memory for the mean and for the variance: at
// twenty barriers a row, 32 warps wait for each other, while hardly a load is on its way. The second and
// third pass find the row in the caches.
// The row comes in vectors, its weight and bias an element at a time, 16 bytes apart from lane to lane: the
// sectors of those loads are used a quarter at a time, and that costs more than the barriers.
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
    layernorm_block(const T* in, const T* weight, const T* bias, T* out, std::int64_t columns) {
    __shared__ float shared[block_row_threads];
    const BlockRow<T, width> row(columns);
    const float n = static_cast<float>(columns);
    const float total = row.sum(in, [](float x) { return x; });
    const float mean = block_tree(total, shared, Sum()) / n;
    const float part = row.sum(in, [&](float x) { return (x - mean) * (x - mean); });
    const float scale = rsqrtf(block_tree(part, shared, Sum()) / n + row_epsilon);
    row.write(in, out, [&](unsigned c, float x) {
        return (x - mean) * scale * to_float(weight[c]) + to_float(bias[c]);
    });
}

static void launch(const Call& call) {
    const Geometry g = block_per_row_geometry(call);
    with_vectors(call, call.extent[row_columns], [&](auto element, auto width) {
        using T = decltype(element);
        layernorm_block<T, decltype(width)::value><<<grid_of(g), block_of(g)>>>(
            call.as<const T>(row_in), call.as<const T>(row_weight), call.as<const T>(row_bias),
            call.as<T>(row_out), call.extent[row_columns]);
    });
    check_launch("layernorm_block");
}
#endif

static Variant variant() {
    Variant v = layernorm_variant();
    v.name = "block-per-row";
    v.title = "layer norm, one block a row: tree of reductions, three passes";
    v.expected = "coalescing";
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
