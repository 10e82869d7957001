#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/elementwise_reference.cuh"
#include "kernels/support/swiglu_family.hpp"

namespace kprof {

template <typename T>
struct ExactSwiglu {
    const T *gate, *up;
    __device__ double operator()(std::int64_t i) const {
        const double x = value_of(gate[i]);
        return x / (1 + exp(-x)) * value_of(up[i]);
    }
};

template <typename T>
static void expect_swiglu(const ReferenceCall& call) {
    expect_each(call, swiglu_elements(call.call),
                ExactSwiglu<T>{call.call.as<const T>(swiglu_gate), call.call.as<const T>(swiglu_up)});
}

void swiglu_reference(const ReferenceCall& call) {
    if (call.call.dtype == DType::bf16) return expect_swiglu<bf16>(call);
    expect_swiglu<float>(call);
}

}  // namespace kprof
#endif
