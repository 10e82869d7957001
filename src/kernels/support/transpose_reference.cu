#ifdef KPROF_WITH_CUDA
#include "kernels/support/elementwise_reference.cuh"
#include "kernels/support/transpose_family.hpp"

namespace kprof {

struct TransposedElement {
    const float* in;
    std::int64_t rows, columns;
    __device__ double operator()(std::int64_t i) const { return in[i % rows * columns + i / rows]; }
};

void transpose_reference(const ReferenceCall& call) {
    const std::int64_t rows = call.call.extent[0], columns = call.call.extent[1];
    expect_each(call, rows * columns, TransposedElement{call.call.as<const float>(0), rows, columns});
}

}  // namespace kprof
#endif
