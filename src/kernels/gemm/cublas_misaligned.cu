// The product of the FFN width that a rule of thumb gives, 8/3 of the model's (21,845 of 8,192): rows of B
// and C start at odd elements, so that no row can be read in 16-byte pieces or by the copy engine. cuBLAS
// falls back to kernels with narrow loads, and the tensor cores wait.
#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

static GemmVariant variant() {
    GemmVariant v;
    v.name = "cublas-misaligned";
    v.title = "cuBLAS on rows of odd length, as given";
    v.dtypes = {DType::bf16, DType::fp16};
    v.expected = "tensor_starved";
    v.twin = "cublas-padded";
    v.rung = 10;
    v.default_shape[1] = 21845;
    v.extra_device_bytes = cublas_device_bytes;
#ifdef KPROF_WITH_CUDA
    v.launch = cublas_gemm;
    v.open = cublas_open;
    v.close = cublas_close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
