#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/elementwise_reference.cuh"
#include "kernels/support/gelu_family.hpp"

namespace kprof {

template <typename T>
struct ExactGelu {
    const T* x;
    __device__ double operator()(std::int64_t i) const {
        constexpr double slope = 0.79788456080286536;  // √(2/π)
        const double v = value_of(x[i]);
        return 0.5 * v * (1 + tanh(slope * (v + 0.044715 * v * v * v)));
    }
};

void gelu_reference(const ReferenceCall& call) {
    const std::int64_t n = call.call.extent[0];
    if (call.call.dtype == DType::bf16) {
        expect_each(call, n, ExactGelu<bf16>{call.call.as<const bf16>(gelu_in)});
    } else {
        expect_each(call, n, ExactGelu<float>{call.call.as<const float>(gelu_in)});
    }
}

}  // namespace kprof
#endif
