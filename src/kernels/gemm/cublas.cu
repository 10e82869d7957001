// NVIDIA's libraries, opened at run time: the rung that the others are held against. FP8 is by cuBLASLt,
// which wants B with its columns side by side: that copy is made before anything is timed.
#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

static GemmVariant variant() {
    GemmVariant v;
    v.name = "cublas";
    v.title = "cuBLAS: tensor cores at BF16, FP16, TF32 and FP8; CUDA cores at FP32 (pedantic)";
    v.dtypes = {DType::bf16, DType::fp16, DType::tf32, DType::fp32, DType::fp8};
    v.expected = "at_limit:tensor";
    v.rung = 9;
    v.extra_device_bytes = cublas_device_bytes;
    v.refuses = cublas_refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = cublas_gemm;
    v.open = cublas_open;
    v.close = cublas_close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
