#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/rmsnorm_linear_family.hpp"
#include "kernels/support/warp_reference.cuh"

namespace kprof {

// Straight from the definition.
struct ExactRmsnormLinear {
    const bf16 *x, *gain, *w;
    std::int64_t d, out;
    __device__ double operator()(std::int64_t element, int lane) const {
        const bf16* x_row = x + element / out * d;
        const bf16* w_row = w + element % out * d;
        double sum = 0, squares = 0;
        for (std::int64_t i = lane; i < d; i += warp_size) {
            const double v = value_of(x_row[i]);
            squares += v * v;
            sum += v * value_of(gain[i]) * value_of(w_row[i]);
        }
        const double mean = warp_sum(squares) / static_cast<double>(d);
        return warp_sum(sum) / sqrt(mean + static_cast<double>(rmsnorm_linear_epsilon));
    }
};

void rmsnorm_linear_reference(const ReferenceCall& call) {
    const Call& of = call.call;
    const std::int64_t d = of.extent[rmsnorm_linear_depth], out = of.extent[rmsnorm_linear_out];
    expect_each_by_warps(
        call, of.extent[rmsnorm_linear_tokens] * out,
        ExactRmsnormLinear{of.as<const bf16>(rmsnorm_linear_x), of.as<const bf16>(rmsnorm_linear_gain),
                           of.as<const bf16>(rmsnorm_linear_w), d, out});
}

}  // namespace kprof
#endif
