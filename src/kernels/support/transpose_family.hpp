// What the variants of transpose share: a rows × columns matrix in, its transpose out, both row-major, in
// tiles of 32 × 32 by blocks of 32 × 8 threads.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

constexpr int transpose_tile = 32, transpose_rows = 8;
// Of the tile in shared memory: four vectors of 32 side by side, so that a thread has 16 loads on their way
// and rows are read 512 bytes at a time.
constexpr int transpose_wide = 128;

// Everything but name, title, label, geometry and launch. Buffers: in, out.
Variant transpose_variant();

// One block per tile; `smem` is its shared memory in bytes.
// 32 x 8 threads a tile of 32 x `columns` elements.
Geometry transpose_geometry(const Call& call, int columns, std::int64_t smem);

#ifdef KPROF_WITH_CUDA
void transpose_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
