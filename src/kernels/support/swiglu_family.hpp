// What the variants of swiglu share: out = silu(gate) · up, with silu(x) = x / (1 + exp(-x)), over tokens ×
// ffn: what a LLaMA feed-forward layer does between its two matrix products.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

enum SwigluBuffer { swiglu_gate, swiglu_up, swiglu_out, swiglu_scratch };

// Everything but name, title, label, geometry and launch. Buffers: gate, up, out; the variant adds its
// scratch.
Variant swiglu_variant();

std::int64_t swiglu_elements(const Call& call);

// In vectors of 16 bytes.
Geometry swiglu_geometry(const Call& call);

#ifdef KPROF_WITH_CUDA
void swiglu_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
