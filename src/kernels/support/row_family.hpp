// What softmax, rowsum, rmsnorm and layernorm share: each row of a matrix is reduced (its largest, its sum,
// its squares), and for all but rowsum written again, normalised by what came out. Little arithmetic per
// byte: what differs is how the threads walk a row and how they combine what they found.
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum RowExtent { row_rows, row_columns };
// Order of the buffers; weight and bias hold one number a column.
enum RowBuffer { row_in, row_out, row_weight, row_bias };

// Added to the mean square (the variance) of a row before its root is taken.
constexpr float row_epsilon = 1e-5F;

// Everything but name, title, label, geometry and launch. Arithmetic and rowsum's output are FP32.
Variant softmax_variant();    // out = exp(x - largest) / sum of them: in, out
Variant rowsum_variant();     // out = sum of the row: in, out
Variant rmsnorm_variant();    // out = x / sqrt(mean of squares + epsilon) · weight: in, out, weight
Variant layernorm_variant();  // out = (x - mean) / sqrt(variance + epsilon) · weight + bias: all four

constexpr int thread_row_threads = 256;
constexpr int block_row_threads = 1024;
constexpr int warp_row_threads = 128;

inline Geometry thread_per_row_geometry(const Call& call) {
    return line_geometry(call.extent[row_rows], thread_row_threads);
}

// With one float a thread for the tree of reductions.
inline Geometry block_per_row_geometry(const Call& call) {
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>(call.extent[row_rows]);
    g.block[0] = block_row_threads;
    g.smem_static = block_row_threads * 4;
    return g;
}

// `lanes`: of a warp, 64 on AMD.
inline Geometry warp_per_row_geometry(std::int64_t rows, int lanes) {
    return line_geometry(
        (rows + warp_row_threads / lanes - 1) / (warp_row_threads / lanes) * warp_row_threads,
        warp_row_threads);
}
// As the facts give it, for warps of 32.
inline Geometry warp_per_row_facts(const Call& call) {
    return warp_per_row_geometry(call.extent[row_rows], 32);
}

#ifdef KPROF_WITH_CUDA
void softmax_reference(const ReferenceCall& call);
void rowsum_reference(const ReferenceCall& call);
void rmsnorm_reference(const ReferenceCall& call);
void layernorm_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
