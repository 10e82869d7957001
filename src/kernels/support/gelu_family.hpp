// What the variants of gelu share: out = x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))) over n elements, the
// tanh form that PyTorch and most models use.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

enum GeluBuffer { gelu_in, gelu_out, gelu_scratch };

constexpr float gelu_cubic = 0.044715F, gelu_slope = 0.79788456F;  // √(2/π)

// Everything but name, title, label, geometry and launch. Buffers: x, out; the variant adds its scratch.
Variant gelu_variant();

std::int64_t gelu_elements(const Call& call);

#ifdef KPROF_WITH_CUDA
void gelu_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
