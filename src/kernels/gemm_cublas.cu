// NVIDIA's library, opened at run time: the rung that the others are held against.
#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

static GemmVariant variant() {
    GemmVariant v;
    v.name = "cublas";
    v.title = "cuBLAS: tensor cores at BF16, FP16 and TF32; CUDA cores at FP32 (pedantic)";
    v.dtypes = {DType::bf16, DType::fp16, DType::tf32, DType::fp32};
    v.expected = "at_limit:tensor";
    v.rung = 4;
    v.extra_device_bytes = 64e6;  // the library's own workspace, 32 MiB on Hopper, and its code
#ifdef KPROF_WITH_CUDA
    v.launch = cublas_gemm;
    v.open = cublas_open;
    v.close = cublas_close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
