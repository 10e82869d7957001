#ifdef KPROF_WITH_CUDA
#include "kernels/support/stream_workload.hpp"

#include <fmt/format.h>

#include "collect/cuda/nvtx.hpp"
#include "core/format.hpp"
#include "kernels/support/random_fill.hpp"

namespace kprof {
namespace {

std::size_t array_bytes(const Shape& shape, DType dtype) {
    return static_cast<std::size_t>(shape.at("n")) * size_of(dtype);
}

}  // namespace

StreamWorkload::StreamWorkload(const StreamVariant& variant, const Shape& shape, DType dtype)
    : variant_(variant),
      a_(array_bytes(shape, dtype), "input a"),
      b_(variant.inputs > 1 ? DeviceBuffer(array_bytes(shape, dtype), "input b") : DeviceBuffer()),
      out_(array_bytes(shape, dtype), "the output") {
    const NvtxRange range("kprof setup");
    call_.a = a_.data();
    call_.b = b_.data();
    call_.out = out_.data();
    call_.n = shape.at("n");
    call_.dtype = dtype;
    fill_random(a_.data(), call_.n, dtype, 1);
    if (call_.b != nullptr) fill_random(b_.data(), call_.n, dtype, 2);
    out_.poison();
}

void StreamWorkload::reset() {
    out_.poison();
}

void StreamWorkload::launch() {
    variant_.launch(call_);
}

Verification StreamWorkload::verify() {
    const NvtxRange range("kprof verify");
    if (!out_.guard_intact()) return wrote_past_the_end();
    const DeviceBuffer mismatches(sizeof(unsigned long long), "verification");
    mismatches.fill(0);
    variant_.count_mismatches(call_, mismatches.as<unsigned long long>());
    unsigned long long wrong = 0;
    mismatches.download(&wrong, sizeof wrong);
    Verification result;
    result.tolerance = 0.0;
    result.error = static_cast<double>(wrong) / static_cast<double>(call_.n);
    result.status = wrong == 0 ? "ok" : "wrong";
    result.detail = wrong == 0
                        ? fmt::format("all {} elements exact", format_count(static_cast<double>(call_.n)))
                        : fmt::format("{} of {} elements are wrong", wrong, call_.n);
    return result;
}

}  // namespace kprof
#endif
