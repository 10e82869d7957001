#include "ceilings/cuda/library_product.hpp"

#include <cublasLt.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <type_traits>

#include "core/error.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/library_search.hpp"
#include "kernels/support/random_fill.hpp"

namespace kprof {
namespace {

using loops::Matrix;

// X(member, function): the functions used.
// clang-format off
#define KPROF_LT_FUNCTIONS(X)                                \
    X(create, cublasLtCreate)                                \
    X(destroy, cublasLtDestroy)                              \
    X(matmul, cublasLtMatmul)                                \
    X(heuristic, cublasLtMatmulAlgoGetHeuristic)             \
    X(desc_create, cublasLtMatmulDescCreate)                 \
    X(desc_destroy, cublasLtMatmulDescDestroy)               \
    X(desc_set, cublasLtMatmulDescSetAttribute)              \
    X(layout_create, cublasLtMatrixLayoutCreate)             \
    X(layout_destroy, cublasLtMatrixLayoutDestroy)           \
    X(preference_create, cublasLtMatmulPreferenceCreate)     \
    X(preference_destroy, cublasLtMatmulPreferenceDestroy)   \
    X(preference_set, cublasLtMatmulPreferenceSetAttribute)  \
    X(status_name, cublasLtGetStatusName)
// clang-format on

struct Table {
#define KPROF_MEMBER(member, function) decltype(&::function) member = nullptr;
    KPROF_LT_FUNCTIONS(KPROF_MEMBER)
#undef KPROF_MEMBER
};

const char* const install =
    "install cuBLAS (Debian package libcublas-13-0, or pip install nvidia-cublas), or point CUDA_HOME at a "
    "CUDA toolkit that has it";

Table load_table() {
    void* library = open_library(
        "cuBLASLt", library_candidates({"libcublasLt.so.13", "libcublasLt.so.12"}, cuda_roots()), install);
    Table table;
    const auto get = [library](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (function == nullptr)
            throw environment_error(fmt::format("the cuBLASLt found has no function {}", name),
                                    "install cuBLAS 12 or later");
    };
#define KPROF_GET(member, function) get(table.member, #function);
    KPROF_LT_FUNCTIONS(KPROF_GET)
#undef KPROF_GET
    return table;
}

const Table& lt() {
    static const Table table = load_table();
    return table;
}

void check_lt(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw environment_error(fmt::format("{} failed: {}", call, lt().status_name(status)),
                            "another cuBLAS can be chosen with LD_LIBRARY_PATH");
}

template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cublasStatus_t (*)(Handle)>;

struct Types {
    cudaDataType in, out, scale;
    cublasComputeType_t compute;
};

Types types_of(Matrix type) {
    switch (type) {
        case Matrix::fp64:
            return {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
        case Matrix::tf32:
            return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
        case Matrix::bf16:
            return {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
        case Matrix::fp16:
            return {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
        case Matrix::fp8:
            return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
        case Matrix::int8:
            return {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I};
    }
    return {};
}

std::size_t size_of(cudaDataType type) {
    if (type == CUDA_R_64F) return 8;
    if (type == CUDA_R_32F || type == CUDA_R_32I) return 4;
    return type == CUDA_R_16BF || type == CUDA_R_16F ? 2 : 1;
}

Owned<cublasLtMatrixLayout_t> make_layout(cudaDataType type, std::int64_t n) {
    cublasLtMatrixLayout_t layout = nullptr;
    const auto extent = static_cast<std::uint64_t>(n);
    check_lt(lt().layout_create(&layout, type, extent, extent, n), "cublasLtMatrixLayoutCreate");
    return {layout, lt().layout_destroy};
}

Owned<cublasLtHandle_t> make_handle() {
    cublasLtHandle_t handle = nullptr;
    check_lt(lt().create(&handle), "cublasLtCreate");
    return {handle, lt().destroy};
}

Owned<cublasLtMatmulDesc_t> make_desc(const Types& types) {
    cublasLtMatmulDesc_t desc = nullptr;
    check_lt(lt().desc_create(&desc, types.compute, types.scale), "cublasLtMatmulDescCreate");
    Owned<cublasLtMatmulDesc_t> owned{desc, lt().desc_destroy};
    const cublasOperation_t transposed = CUBLAS_OP_T;
    check_lt(lt().desc_set(desc, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof(transposed)),
             "cublasLtMatmulDescSetAttribute");
    return owned;
}

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
constexpr int most_choices = 6;

}  // namespace

struct LibraryLoop::Impl {
    Impl(Matrix type, std::int64_t extent)
        : n(extent),
          types(types_of(type)),
          handle(make_handle()),
          desc(make_desc(types)),
          in(make_layout(types.in, n)),
          out(make_layout(types.out, n)),
          a(elements() * size_of(types.in), "matrix A"),
          b(elements() * size_of(types.in), "matrix B"),
          c(elements() * size_of(types.out), "matrix C"),
          workspace(workspace_bytes, "cuBLASLt's workspace") {
        fill_operands(a.data(), n * n, type, 11);
        fill_operands(b.data(), n * n, type, 12);
        cublasLtMatmulPreference_t preference = nullptr;
        check_lt(lt().preference_create(&preference), "cublasLtMatmulPreferenceCreate");
        const Owned<cublasLtMatmulPreference_t> owned{preference, lt().preference_destroy};
        check_lt(lt().preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                     sizeof(workspace_bytes)),
                 "cublasLtMatmulPreferenceSetAttribute");
        check_lt(lt().heuristic(handle.get(), desc.get(), in.get(), in.get(), out.get(), out.get(),
                                preference, most_choices, results.data(), &found),
                 "cublasLtMatmulAlgoGetHeuristic");
        if (found == 0) throw environment_error("cuBLASLt has no product of this type for this GPU", "");
    }
    std::size_t elements() const { return static_cast<std::size_t>(n) * static_cast<std::size_t>(n); }

    std::int64_t n;
    Types types;
    Owned<cublasLtHandle_t> handle;
    Owned<cublasLtMatmulDesc_t> desc;
    Owned<cublasLtMatrixLayout_t> in, out;
    DeviceBuffer a, b, c, workspace;
    std::array<cublasLtMatmulHeuristicResult_t, most_choices> results{};
    int found = 0, chosen = 0;
};

LibraryLoop::LibraryLoop(Matrix type, std::int64_t n) : impl_(std::make_unique<Impl>(type, n)) {}
LibraryLoop::~LibraryLoop() = default;

int LibraryLoop::choices() const {
    return impl_->found;
}
void LibraryLoop::choose(int index) {
    impl_->chosen = index;
}

void LibraryLoop::run() {
    const Impl& i = *impl_;
    // alpha and beta have the scale type: the bits of 1 and 0 in each.
    const double one_double = 1, zero_double = 0;
    const float one_float = 1, zero_float = 0;
    const std::int32_t one_int = 1, zero_int = 0;
    const void *one = &one_float, *zero = &zero_float;
    if (i.types.scale == CUDA_R_64F) one = &one_double, zero = &zero_double;
    if (i.types.scale == CUDA_R_32I) one = &one_int, zero = &zero_int;
    const auto& result = i.results.at(static_cast<std::size_t>(i.chosen));
    check_lt(lt().matmul(i.handle.get(), i.desc.get(), one, i.a.data(), i.in.get(), i.b.data(), i.in.get(),
                         zero, i.c.data(), i.out.get(), i.c.data(), i.out.get(), &result.algo,
                         i.workspace.data(), workspace_bytes, nullptr),
             "cublasLtMatmul");
}

double LibraryLoop::work() const {
    const auto n = static_cast<double>(impl_->n);
    return 2 * n * n * n;
}

void fill_operands(void* data, std::int64_t n, Matrix type, std::uint64_t seed) {
    switch (type) {
        case Matrix::fp64:
            return fill_random(data, n, DType::fp64, seed);
        case Matrix::tf32:
            return fill_random(data, n, DType::tf32, seed);
        case Matrix::bf16:
            return fill_random(data, n, DType::bf16, seed);
        case Matrix::fp16:
            return fill_random(data, n, DType::fp16, seed);
        case Matrix::fp8:
            return fill_random(data, n, DType::fp8, seed);
        case Matrix::int8:
            return loops::random_bytes(data, n, static_cast<std::uint32_t>(seed));
    }
}

std::size_t operand_size(Matrix type) {
    return size_of(types_of(type).in);
}

}  // namespace kprof
