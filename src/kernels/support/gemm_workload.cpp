#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_workload.hpp"

#include "collect/cuda/nvtx.hpp"
#include "kernels/support/gemm_verify.hpp"
#include "kernels/support/random_fill.hpp"

namespace kprof {
namespace {

DeviceBuffer allocate(std::int64_t elements, DType dtype, const char* what) {
    if (elements == 0) return {};
    return {static_cast<std::size_t>(elements) * size_of(dtype), what};
}

std::size_t output_bytes(std::int64_t elements, DType dtype) {
    return static_cast<std::size_t>(elements) * size_of(product_dtype(dtype));
}

// Zeros behind the `columns` of each of the first `rows` rows, and in all rows after them.
void clear_padding(const DeviceBuffer& matrix, std::int64_t rows, std::int64_t columns, std::int64_t ld,
                   DType dtype) {
    const std::size_t element = size_of(dtype), pitch = static_cast<std::size_t>(ld) * element;
    const std::size_t used = static_cast<std::size_t>(columns) * element;
    const std::size_t all_rows = matrix.bytes() / pitch, used_rows = static_cast<std::size_t>(rows);
    if (pitch > used) {
        check_cuda(cudaMemset2D(matrix.as<char>() + used, pitch, 0, pitch - used, used_rows), "cudaMemset2D");
    }
    if (all_rows > used_rows) {
        check_cuda(cudaMemset(matrix.as<char>() + used_rows * pitch, 0, (all_rows - used_rows) * pitch),
                   "cudaMemset");
    }
}

void nothing_to_close(void* /*context*/) {}

}  // namespace

GemmWorkload::GemmWorkload(const GemmVariant& variant, const Shape& shape, DType dtype)
    : variant_(variant),
      call_(gemm_call_of(variant, shape, dtype)),
      elements_(gemm_elements(variant, call_)),
      a_(allocate(elements_.a, dtype, "matrix A")),
      b_(allocate(elements_.b, dtype, "matrix B")),
      bias_(allocate(elements_.bias, product_dtype(dtype), "bias")),
      c_(output_bytes(elements_.c, dtype), "matrix C"),
      context_(nullptr, variant.close != nullptr ? variant.close : nothing_to_close) {
    const NvtxRange range("kprof setup");
    fill_random(a_.data(), elements_.a, dtype, 1);
    fill_random(b_.data(), elements_.b, dtype, 2);
    if (elements_.bias > 0) fill_random(bias_.data(), elements_.bias, product_dtype(dtype), 3);
    clear_padding(a_, call_.m, call_.k, call_.lda, dtype);
    clear_padding(b_, call_.k, call_.n, call_.ldb, dtype);
    call_.a = a_.data();
    call_.b = b_.data();
    call_.c = c_.data();
    call_.bias = bias_.data();
    if (variant_.open != nullptr) context_.reset(variant_.open(call_));
    call_.context = context_.get();
    c_.poison();
}

void GemmWorkload::reset() {
    c_.poison();
}

void GemmWorkload::launch() {
    variant_.launch(call_);
}

int GemmWorkload::launches() const {
    return variant_.launches != nullptr ? variant_.launches(call_) : 1;
}

Verification GemmWorkload::verify() {
    const NvtxRange range("kprof verify");
    if (!c_.guard_intact()) return wrote_past_the_end();
    return verify_gemm(call_, variant_.task);
}

}  // namespace kprof
#endif
