// What the variants of launch share: `steps` short steps on n numbers, each of which needs the one before it.
// A step takes every number through 33 multiply-adds. They run in place on the output; the first step reads
// the input. Extents: n, steps.
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum LaunchExtent { launch_n, launch_steps };
enum LaunchBuffer { launch_in, launch_out };

constexpr int launch_block = 256;
constexpr int launch_sampled = 8;  // kernels that stand for all when counters are read

// x -> a x + b with a = -1, which only the host knows: mirrored around b / 2, so that rounding does not add
// up.
struct LaunchMap {
    float a, b;
};
constexpr LaunchMap launch_map = {-1, 0.5F};
// Odd, so that a step does not undo itself.
constexpr int launch_inner = 33;  // multiply-adds a step

// Everything but name, title, label and launch.
Variant launch_variant();

#ifdef KPROF_WITH_CUDA
// Enqueues the kernels of the first `steps` steps on `stream` (a cudaStream_t; null: the legacy stream).
void launch_steps_on(void* stream, const Call& call, std::int64_t steps);
// FP64. A group is 1024 elements.
void launch_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
