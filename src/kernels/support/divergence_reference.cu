#ifdef KPROF_WITH_CUDA
#include "kernels/support/divergence_sides.cuh"
#include "kernels/support/elementwise_reference.cuh"

namespace kprof {

struct DivergentElement {
    const float* x;
    __device__ double operator()(std::int64_t i) const {
        return divergence_of<double>(i, x[i], divergence_decay, divergence_shift, divergence_rounds);
    }
};

void divergence_reference(const ReferenceCall& call) {
    expect_each(call, call.call.extent[0], DivergentElement{call.call.as<const float>(0)});
}

}  // namespace kprof
#endif
