#ifdef KPROF_WITH_CUDA
#include <cublasLt.h>
#include <fmt/format.h>

#include <memory>
#include <type_traits>

#include "core/error.hpp"
#include "kernels/support/byte_transpose.hpp"
#include "kernels/support/cublas_product.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/library_search.hpp"

namespace kprof {
namespace {

struct LtTable {
    decltype(&cublasLtCreate) create = nullptr;
    decltype(&cublasLtDestroy) destroy = nullptr;
    decltype(&cublasLtMatmul) matmul = nullptr;
    decltype(&cublasLtMatmulAlgoGetHeuristic) choose = nullptr;
    decltype(&cublasLtMatmulDescCreate) desc_create = nullptr;
    decltype(&cublasLtMatmulDescDestroy) desc_destroy = nullptr;
    decltype(&cublasLtMatmulDescSetAttribute) desc_set = nullptr;
    decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
    decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
    decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
    decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
    decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
    decltype(&cublasLtGetStatusName) status_name = nullptr;
};

LtTable load_table() {
    void* library =
        open_library("cuBLASLt", library_candidates({"libcublasLt.so.13", "libcublasLt.so.12"}, cuda_roots()),
                     "install cuBLAS (Debian package libcublas-13-0, or pip install nvidia-cublas), or "
                     "point CUDA_HOME at a CUDA toolkit that has it");
    LtTable table;
    find_function(library, "cublasLtCreate", table.create);
    find_function(library, "cublasLtDestroy", table.destroy);
    find_function(library, "cublasLtMatmul", table.matmul);
    find_function(library, "cublasLtMatmulAlgoGetHeuristic", table.choose);
    find_function(library, "cublasLtMatmulDescCreate", table.desc_create);
    find_function(library, "cublasLtMatmulDescDestroy", table.desc_destroy);
    find_function(library, "cublasLtMatmulDescSetAttribute", table.desc_set);
    find_function(library, "cublasLtMatrixLayoutCreate", table.layout_create);
    find_function(library, "cublasLtMatrixLayoutDestroy", table.layout_destroy);
    find_function(library, "cublasLtMatmulPreferenceCreate", table.preference_create);
    find_function(library, "cublasLtMatmulPreferenceDestroy", table.preference_destroy);
    find_function(library, "cublasLtMatmulPreferenceSetAttribute", table.preference_set);
    find_function(library, "cublasLtGetStatusName", table.status_name);
    return table;
}

const LtTable& lt() {
    static const LtTable table = load_table();
    return table;
}

void check_lt(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw environment_error(
        fmt::format("{} failed: {} ({})", call, lt().status_name(status), static_cast<int>(status)),
        "kprof doctor checks this machine; another cuBLAS can be chosen with LD_LIBRARY_PATH");
}

// Handles of the library, freed by the function of the library that was opened.
template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cublasStatus_t (*)(Handle)>;

Owned<cublasLtHandle_t> make_handle() {
    cublasLtHandle_t handle = nullptr;
    check_lt(lt().create(&handle), "cublasLtCreate");
    return {handle, lt().destroy};
}

Owned<cublasLtMatmulDesc_t> make_desc() {
    cublasLtMatmulDesc_t desc = nullptr;
    check_lt(lt().desc_create(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
    return {desc, lt().desc_destroy};
}

Owned<cublasLtMatrixLayout_t> make_layout(cudaDataType type, std::int64_t rows, std::int64_t columns,
                                          std::int64_t ld) {
    cublasLtMatrixLayout_t layout = nullptr;
    check_lt(lt().layout_create(&layout, type, static_cast<std::uint64_t>(rows),
                                static_cast<std::uint64_t>(columns), ld),
             "cublasLtMatrixLayoutCreate");
    return {layout, lt().layout_destroy};
}

// Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ of the same memory, so the library's first operand is B. FP8
// takes it with k innermost: then B's transpose, in memory of its own, is the first operand transposed.
class LtProduct : public LibraryProduct {
  public:
    LtProduct(const GemmCall& call, GemmTask task)
        : first_is_transposed_(call.dtype == DType::fp8),
          handle_(make_handle()),
          desc_(make_desc()),
          first_(first_is_transposed_ ? make_layout(input_type(call.dtype), call.k, call.n, call.k)
                                      : make_layout(input_type(call.dtype), call.n, call.k, call.ldb)),
          second_(make_layout(input_type(call.dtype), call.k, call.m, call.lda)),
          result_(make_layout(CUDA_R_16BF, call.n, call.m, call.ldc)),
          workspace_(workspace_bytes, "cuBLASLt's workspace") {
        if (first_is_transposed_) {
            set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
            transposed_b_ = DeviceBuffer(static_cast<std::size_t>(call.n) * static_cast<std::size_t>(call.k),
                                         "matrix Bᵀ");
            transpose_bytes(call.b, transposed_b_.data(), call.k, call.n);
        }
        if (task == GemmTask::product_bias_gelu) {
            set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_BIAS);
            set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, call.bias);
        }
        choose_algorithm(call.dtype);
    }

    void run(const GemmCall& call) override {
        const float one = 1, zero = 0;
        check_lt(lt().matmul(handle_.get(), desc_.get(), &one,
                             first_is_transposed_ ? transposed_b_.data() : call.b, first_.get(), call.a,
                             second_.get(), &zero, call.c, result_.get(), call.c, result_.get(), &algorithm_,
                             workspace_.data(), workspace_.bytes(), nullptr),
                 "cublasLtMatmul");
    }

  private:
    static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

    static cudaDataType input_type(DType dtype) { return dtype == DType::fp8 ? CUDA_R_8F_E4M3 : CUDA_R_16BF; }

    template <typename T>
    void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
        check_lt(lt().desc_set(desc_.get(), attribute, &value, sizeof value),
                 "cublasLtMatmulDescSetAttribute");
    }

    void choose_algorithm(DType dtype) {
        cublasLtMatmulPreference_t made = nullptr;
        check_lt(lt().preference_create(&made), "cublasLtMatmulPreferenceCreate");
        const Owned<cublasLtMatmulPreference_t> preference(made, lt().preference_destroy);
        const std::size_t bytes = workspace_bytes;
        check_lt(lt().preference_set(preference.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                     sizeof bytes),
                 "cublasLtMatmulPreferenceSetAttribute");
        cublasLtMatmulHeuristicResult_t found{};
        int count = 0;
        const cublasStatus_t status =
            lt().choose(handle_.get(), desc_.get(), first_.get(), second_.get(), result_.get(), result_.get(),
                        preference.get(), 1, &found, &count);
        if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && count == 0)) {
            throw environment_error(
                fmt::format("cuBLASLt has no {} kernel for this shape on this GPU", to_string(dtype)),
                dtype == DType::fp8 ? "FP8 needs compute capability 8.9 or later; --dtype bf16 runs anywhere"
                                    : "try another --shape");
        }
        check_lt(status, "cublasLtMatmulAlgoGetHeuristic");
        algorithm_ = found.algo;
    }

    bool first_is_transposed_;
    Owned<cublasLtHandle_t> handle_;
    Owned<cublasLtMatmulDesc_t> desc_;
    Owned<cublasLtMatrixLayout_t> first_, second_, result_;
    DeviceBuffer workspace_, transposed_b_;
    cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace

std::unique_ptr<LibraryProduct> make_cublaslt_product(const GemmCall& call, GemmTask task) {
    return std::make_unique<LtProduct>(call, task);
}

}  // namespace kprof
#endif
