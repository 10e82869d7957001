// What a library needs to run one product again and again. Only in a build with CUDA.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>

#include "core/error.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

class LibraryProduct {
  public:
    LibraryProduct() = default;
    LibraryProduct(const LibraryProduct&) = delete;
    LibraryProduct& operator=(const LibraryProduct&) = delete;
    virtual ~LibraryProduct() = default;
    virtual void run(const GemmCall& call) = 0;
};

std::unique_ptr<LibraryProduct> make_cublas_product();
// GELU(A·B + bias) at BF16, or the plain product at FP8 (then with its own copy of B, made here).
std::unique_ptr<LibraryProduct> make_cublaslt_product(const GemmCall& call, GemmTask task);

// A function of a library that was opened at run time.
template <typename Function>
void find_function(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        throw environment_error(fmt::format("the cuBLAS found has no function {}", name),
                                "install cuBLAS 12 or later");
    }
}

}  // namespace kprof
