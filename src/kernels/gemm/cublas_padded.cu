// The product of cublas-misaligned with every extent padded to a multiple of 64 in memory (21,845 to 21,888):
// 0.2 % more arithmetic, and rows that start at multiples of 128 bytes. The padding of A and B is zero.
#include <limits>

#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {
namespace {

constexpr std::int32_t padding = 64;

const char* refuses(const GemmCall& call) {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t extent : {call.m, call.n, call.k}) {
        if (padded_extent(extent, padding) > largest) return "extents must be at most 2147483584";
    }
    return nullptr;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
static void launch(const GemmCall& call) {
    GemmCall whole = call;
    whole.m = static_cast<std::int32_t>(padded_extent(call.m, padding));
    whole.n = static_cast<std::int32_t>(call.ldb);
    whole.k = static_cast<std::int32_t>(call.lda);
    cublas_gemm(whole);
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "cublas-padded";
    v.title = "cuBLAS on the same product, padded to multiples of 64";
    v.dtypes = {DType::bf16, DType::fp16};
    v.expected = "at_limit:tensor";
    v.rung = 11;
    v.default_shape[1] = 21845;
    v.padding = padding;
    v.extra_device_bytes = cublas_device_bytes;
    v.refuses = refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.open = cublas_open;
    v.close = cublas_close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
