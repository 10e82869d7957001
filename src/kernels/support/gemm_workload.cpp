#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_workload.hpp"

#include "collect/cuda/nvtx.hpp"
#include "kernels/support/gemm_verify.hpp"
#include "kernels/support/random_fill.hpp"

namespace kprof {
namespace {

std::size_t matrix_bytes(const Shape& shape, const char* rows, const char* columns, DType dtype) {
    return static_cast<std::size_t>(shape.at(rows)) * static_cast<std::size_t>(shape.at(columns)) *
           size_of(dtype);
}

void nothing_to_close(void* /*context*/) {}

}  // namespace

GemmWorkload::GemmWorkload(const GemmVariant& variant, const Shape& shape, DType dtype)
    : variant_(variant),
      a_(matrix_bytes(shape, "m", "k", dtype), "matrix A"),
      b_(matrix_bytes(shape, "k", "n", dtype), "matrix B"),
      c_(matrix_bytes(shape, "m", "n", dtype), "matrix C"),
      context_(nullptr, variant.close != nullptr ? variant.close : nothing_to_close) {
    const NvtxRange range("kprof setup");
    fill_random(a_.data(), shape.at("m") * shape.at("k"), dtype, 1);
    fill_random(b_.data(), shape.at("k") * shape.at("n"), dtype, 2);
    if (variant_.open != nullptr) context_.reset(variant_.open());
    call_.a = a_.data();
    call_.b = b_.data();
    call_.c = c_.data();
    call_.m = static_cast<std::int32_t>(shape.at("m"));
    call_.n = static_cast<std::int32_t>(shape.at("n"));
    call_.k = static_cast<std::int32_t>(shape.at("k"));
    call_.dtype = dtype;
    call_.context = context_.get();
    c_.poison();
}

void GemmWorkload::reset() {
    c_.poison();
}

void GemmWorkload::launch() {
    variant_.launch(call_);
}

Verification GemmWorkload::verify() {
    const NvtxRange range("kprof verify");
    if (!c_.guard_intact()) return wrote_past_the_end();
    return verify_gemm(call_);
}

}  // namespace kprof
#endif
