#ifdef KPROF_WITH_CUDA
#include "kernels/support/cublas_gemm.hpp"

#include <cublas_v2.h>
#include <fmt/format.h>

#include <memory>
#include <type_traits>

#include "core/error.hpp"
#include "kernels/support/cublas_product.hpp"
#include "kernels/support/gemm_family.hpp"
#include "kernels/support/library_search.hpp"

namespace kprof {
namespace {

using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                  const void* alpha, const void* a, cudaDataType, int lda, const void* b,
                                  cudaDataType, int ldb, const void* beta, void* c, cudaDataType, int ldc,
                                  cublasComputeType_t, cublasGemmAlgo_t);
// The header overloads the name, so that decltype alone cannot choose; this holds the type against it.
static_assert(std::is_same_v<GemmEx, decltype(static_cast<GemmEx>(&cublasGemmEx))>);

// The functions used, found at run time, so that the binary starts where there is no cuBLAS.
struct CublasTable {
    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasDestroy_v2) destroy = nullptr;
    GemmEx gemm_ex = nullptr;
    decltype(&cublasGetStatusName) status_name = nullptr;
};

CublasTable load_table() {
    void* library =
        open_library("cuBLAS", library_candidates({"libcublas.so.13", "libcublas.so.12"}, cuda_roots()),
                     "install cuBLAS (Debian package libcublas-13-0, or pip install nvidia-cublas), or "
                     "point CUDA_HOME at a CUDA toolkit that has it");
    CublasTable table;
    find_function(library, "cublasCreate_v2", table.create);
    find_function(library, "cublasDestroy_v2", table.destroy);
    find_function(library, "cublasGemmEx", table.gemm_ex);
    find_function(library, "cublasGetStatusName", table.status_name);
    return table;
}

const CublasTable& cublas() {
    static const CublasTable table = load_table();
    return table;
}

void check_cublas(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw environment_error(
        fmt::format("{} failed: {} ({})", call, cublas().status_name(status), static_cast<int>(status)),
        "kprof doctor checks this machine; another cuBLAS can be chosen with LD_LIBRARY_PATH");
}

struct Types {
    cudaDataType data;
    cublasComputeType_t compute;
};

Types types_for(DType dtype) {
    switch (dtype) {
        case DType::bf16:
            return {CUDA_R_16BF, CUBLAS_COMPUTE_32F};
        case DType::fp16:
            return {CUDA_R_16F, CUBLAS_COMPUTE_32F};
        case DType::tf32:
            return {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
        default:
            return {CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC};
    }
}

class CublasProduct : public LibraryProduct {
  public:
    CublasProduct() { check_cublas(cublas().create(&handle_), "cublasCreate"); }
    CublasProduct(const CublasProduct&) = delete;
    CublasProduct& operator=(const CublasProduct&) = delete;
    ~CublasProduct() override { static_cast<void>(cublas().destroy(handle_)); }

    void run(const GemmCall& call) override {
        const Types types = types_for(call.dtype);
        const float one = 1, zero = 0;
        const auto lda = static_cast<int>(call.lda), ldb = static_cast<int>(call.ldb),
                   ldc = static_cast<int>(call.ldc);
        // cuBLAS is column-major. Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ of the same memory.
        check_cublas(cublas().gemm_ex(handle_, CUBLAS_OP_N, CUBLAS_OP_N, call.n, call.m, call.k, &one, call.b,
                                      types.data, ldb, call.a, types.data, lda, &zero, call.c, types.data,
                                      ldc, types.compute, CUBLAS_GEMM_DEFAULT),
                     "cublasGemmEx");
    }

  private:
    cublasHandle_t handle_ = nullptr;
};

}  // namespace

std::unique_ptr<LibraryProduct> make_cublas_product() {
    return std::make_unique<CublasProduct>();
}

void* cublas_open(const GemmCall& call) {
    if (call.dtype == DType::fp8) return make_cublaslt_product(call, GemmTask::product).release();
    return make_cublas_product().release();
}

void* cublas_open_gelu(const GemmCall& call) {
    return make_cublaslt_product(call, GemmTask::product_bias_gelu).release();
}

void cublas_close(void* context) noexcept {
    delete static_cast<LibraryProduct*>(context);
}

void cublas_gemm(const GemmCall& call) {
    static_cast<LibraryProduct*>(call.context)->run(call);
}

}  // namespace kprof
#endif
