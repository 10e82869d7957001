// RMS norm inside the product: the gain is multiplied into W, the raw rows go to the tensor cores, and while
// they pass by their squares are added up. The row's scale is one number, and the product is linear, so it is
// applied to the sums at the end. x is read once: at memory's limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/rmsnorm_linear_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/rmsnorm_linear_product.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(product_threads, 2)
    rmsnorm_linear_fused(const bf16* x, const bf16* gain, const bf16* w, bf16* y, std::int64_t tokens,
                         std::int64_t d, std::int64_t out) {
    product_of_rows<true>(x, gain, w, y, tokens, d, out);
}

static void launch(const Call& call) {
    const Geometry g = rmsnorm_linear_product_geometry(call);
    rmsnorm_linear_fused<<<grid_of(g), block_of(g)>>>(
        call.as<const bf16>(rmsnorm_linear_x), call.as<const bf16>(rmsnorm_linear_gain),
        call.as<const bf16>(rmsnorm_linear_w), call.as<bf16>(rmsnorm_linear_y),
        call.extent[rmsnorm_linear_tokens], call.extent[rmsnorm_linear_depth],
        call.extent[rmsnorm_linear_out]);
    check_launch("rmsnorm_linear_fused");
}
#endif

static Variant variant() {
    Variant v = rmsnorm_linear_variant();
    v.name = "fused";
    v.title = "rmsnorm(x)·Wᵀ in one kernel, the norm applied to the product's sums";
    v.expected = "at_limit:dram";
    v.rung = 2;
    v.is_default = true;
    v.geometry = rmsnorm_linear_product_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
