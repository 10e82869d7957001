// The product by cuBLAS. Only in a build with CUDA; without a CUDA header so that any file may include it.
#pragma once

namespace kprof {

struct GemmCall;

// A cuBLAS handle. Opens the library on the first call: Error(environment) that lists the paths tried when
// it is not there, or names the call and status when it cannot start.
void* cublas_open();
void cublas_close(void* handle) noexcept;

// C = A·B with the handle in call.context. BF16 and FP16 accumulate in FP32; TF32 may round its inputs; FP32
// is pedantic: true FP32 on the CUDA cores, never silently the tensor cores.
void cublas_gemm(const GemmCall& call);

}  // namespace kprof
