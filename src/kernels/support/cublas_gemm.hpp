// The product by NVIDIA's libraries. The functions that touch a GPU are only in a build with CUDA; without a
// CUDA header, so that any file may include it.
#pragma once

namespace kprof {

struct GemmCall;

// What GemmVariant::open returns for the variants below: a library's handle and plan, and at FP8 B with its
// columns side by side, as the library wants it (FP8 products are by cuBLASLt, all others by cuBLAS). Opens
// the library on the first call: Error(environment) that lists the paths tried when it is not there, or names
// the call and status when it cannot start.
void* cublas_open(const GemmCall& call);
// The same for C = GELU(A·B + bias) in one kernel: cuBLASLt with its epilogue GELU_BIAS.
void* cublas_open_gelu(const GemmCall& call);
void cublas_close(void* context) noexcept;

// Enqueues what call.context was opened for; rows are lda, ldb and ldc apart. BF16, FP16 and FP8 accumulate
// in FP32; TF32 may round its inputs; FP32 is pedantic: true FP32 on the CUDA cores, never silently the
// tensor cores.
void cublas_gemm(const GemmCall& call);

// GemmVariant::extra_device_bytes and GemmVariant::refuses of these variants.
double cublas_device_bytes(const GemmCall& call);
const char* cublas_refuses(const GemmCall& call);

}  // namespace kprof
