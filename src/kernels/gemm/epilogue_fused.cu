// Bias and GELU are applied to the sums while they are still in registers (cuBLASLt's epilogue GELU_BIAS): C
// is written once and never read.
#include "kernels/support/gemm_epilogue.hpp"

namespace kprof {

static GemmVariant variant() {
    GemmVariant v = epilogue_variant();
    v.name = "epilogue-fused";
    v.title = "GELU(AB + bias) in one kernel (cuBLASLt)";
    v.expected = "latency";
    v.rung = 13;
#ifdef KPROF_WITH_CUDA
    v.launch = cublas_gemm;
    v.open = cublas_open_gelu;
    v.close = cublas_close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
