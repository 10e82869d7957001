// What the variants of rmsnorm-linear share: y = rmsnorm(x)·Wᵀ in BF16, sums in FP32: rows of d numbers,
// normalised by rmsnorm(x) = x / √(mean(x²) + ε) · g, and a linear layer with few outputs, as before the
// choice of experts in a mixture-of-experts model. W is out × d.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

enum RmsnormLinearExtent { rmsnorm_linear_tokens, rmsnorm_linear_depth, rmsnorm_linear_out };
enum RmsnormLinearBuffer {
    rmsnorm_linear_x,
    rmsnorm_linear_gain,
    rmsnorm_linear_w,
    rmsnorm_linear_y,
    rmsnorm_linear_scratch
};

constexpr float rmsnorm_linear_epsilon = 1e-5F;

// Everything but name, title, label and launch. Buffers: x, gain, w, y; the variant adds its scratch.
Variant rmsnorm_linear_variant();

// Elements of x, and of normalised rows.
std::int64_t rmsnorm_linear_elements(const Call& call);

// What a block of the product does (rmsnorm_linear_product.cuh): a warp takes 16 rows.
constexpr int product_warps = 8, product_rows = product_warps * 16, product_columns = 32, product_depth = 128;
Geometry rmsnorm_linear_product_geometry(const Call& call);

#ifdef KPROF_WITH_CUDA
void rmsnorm_linear_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
