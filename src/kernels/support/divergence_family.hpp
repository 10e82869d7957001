// What the variants of divergence share: of every 128 elements the first 64 are put through one iteration and
// the last 64 through another, each long and made of FMAs alone, so that which lanes run it decides the time.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

// Everything but name, title, label, and launch. Buffers: x, y.
Variant divergence_variant();

constexpr std::uint32_t divergence_threads = 256;
constexpr int divergence_side = 64;  // neighbouring elements of one side: a whole wavefront of AMD, two warps
constexpr int divergence_steps = 64;  // of an iteration, unrolled; two FMAs each
constexpr int divergence_rounds = 8;  // of so many steps; an argument of the kernels
constexpr float divergence_decay = 0.5F, divergence_shift = 0.25F;  // arguments as well

#ifdef KPROF_WITH_CUDA
void divergence_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
