#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/gemv_family.hpp"
#include "kernels/support/warp_reference.cuh"

namespace kprof {

struct ExactDotProduct {
    const bf16 *x, *w;
    std::int64_t n, k;
    __device__ double operator()(std::int64_t element, int lane) const {
        const bf16* x_row = x + element / n * k;
        const bf16* w_row = w + element % n * k;
        double sum = 0;
        for (std::int64_t i = lane; i < k; i += warp_size) sum += value_of(x_row[i]) * value_of(w_row[i]);
        return warp_sum(sum);
    }
};

void gemv_reference(const ReferenceCall& call) {
    const Call& of = call.call;
    expect_each_by_warps(call, of.extent[gemv_m] * of.extent[gemv_n],
                         ExactDotProduct{of.as<const bf16>(gemv_x), of.as<const bf16>(gemv_w),
                                         of.extent[gemv_n], of.extent[gemv_k]});
}

}  // namespace kprof
#endif
