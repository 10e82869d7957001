// What is known of the libraries' products without a GPU.
#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

double cublas_device_bytes(const GemmCall& call) {
    // The library's own workspace, 32 MiB on Hopper, and its code.
    constexpr double library = 64e6;
    return library + (call.dtype == DType::fp8 ? static_cast<double>(call.n) * call.k : 0);
}

const char* cublas_refuses(const GemmCall& call) {
    if (call.dtype == DType::fp8 && (call.n % 16 != 0 || call.k % 16 != 0)) {
        return "at fp8, n and k must be multiples of 16 (cuBLASLt)";
    }
    return nullptr;
}

}  // namespace kprof
