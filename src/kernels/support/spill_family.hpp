// What the variants of spill share: many small linear systems, one per thread, stepped in time: v -> v + h A
// v with A of 6 x 6, over a time of 1 in all. Extents: systems, steps. What differs is where a thread keeps
// its matrix.
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum SpillExtent { spill_systems, spill_steps };
// Element (i, j) of system s lies at (i * 6 + j) * systems + s, element j of its vector at j * systems + s:
// the threads of a warp read neighbours.
enum SpillBuffer { spill_matrices, spill_start, spill_out };

// 192 bytes a thread, 384 KB for the threads that an SM can hold: more than its L1 has, while those of all
// SMs fit the L2.
constexpr int spill_dim = 6;
constexpr int spill_block = 128;

inline float spill_step_length(std::int64_t steps) {
    return static_cast<float>(1 / static_cast<double>(steps));
}

// Everything but name, title, label and launch.
Variant spill_variant();

#ifdef KPROF_WITH_CUDA
// FP64. A group is 1024 elements of out.
void spill_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
