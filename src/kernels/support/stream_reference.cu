// alpha·a + beta·b in FP64. With these inputs (at most 24 significant bits, below 1) all of copy, add and
// scale are exact in FP64, so that rounding once gives the one right result.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/elementwise_reference.cuh"
#include "kernels/support/stream_variants.hpp"

namespace kprof {

template <typename T>
struct OneTerm {
    const T* a;
    double alpha;
    __device__ double operator()(std::int64_t i) const { return alpha * value_of(a[i]); }
};

// Elements of one input may lie apart: members of structs.
template <typename T>
struct TwoTerms {
    const T *a, *b;
    std::int64_t stride;
    double beta;
    __device__ double operator()(std::int64_t i) const {
        return value_of(a[i * stride]) + beta * value_of(b[i * stride]);
    }
};

template <typename T>
static void expect_copy(const ReferenceCall& call) {
    expect_each(call, call.call.extent[0], OneTerm<T>{call.call.as<const T>(0), 1});
}

void copy_reference(const ReferenceCall& call) {
    switch (call.call.dtype) {
        case DType::fp64:
            return expect_copy<double>(call);
        case DType::bf16:
            return expect_copy<bf16>(call);
        case DType::fp16:
            return expect_copy<fp16>(call);
        default:
            return expect_copy<float>(call);
    }
}

void scale_reference(const ReferenceCall& call) {
    expect_each(call, call.call.extent[0], OneTerm<float>{call.call.as<const float>(0), stream_factor});
}

template <typename T>
static void expect_sum(const ReferenceCall& call, const T* a, const T* b, std::int64_t stride, double beta) {
    expect_each(call, call.call.extent[0], TwoTerms<T>{a, b, stride, beta});
}

void add_reference(const ReferenceCall& call) {
    if (call.call.dtype == DType::bf16) {
        return expect_sum(call, call.call.as<const bf16>(0), call.call.as<const bf16>(1), 1, 1);
    }
    expect_sum(call, call.call.as<const float>(0), call.call.as<const float>(1), 1, 1);
}

void triad_reference(const ReferenceCall& call) {
    expect_sum(call, call.call.as<const float>(0), call.call.as<const float>(1), 1, stream_factor);
}

void aos_reference(const ReferenceCall& call) {
    const auto* members = call.call.as<const float>(0);
    expect_sum(call, members + member_x, members + member_vx, particle_members, stream_factor);
}

void soa_reference(const ReferenceCall& call) {
    const auto* members = call.call.as<const float>(0);
    const std::int64_t n = call.call.extent[0];
    expect_sum(call, members + member_x * n, members + member_vx * n, 1, stream_factor);
}

}  // namespace kprof
#endif
