#ifdef KPROF_WITH_CUDA
#include "kernels/support/variant_workload.hpp"

#include <cstdint>
#include <utility>

#include "collect/cuda/nvtx.hpp"
#include "core/error.hpp"
#include "kernels/support/random_fill.hpp"
#include "kernels/support/variant_call.hpp"
#include "kernels/support/variant_verify.hpp"

namespace kprof {
namespace {

void nothing_to_close(void* /*context*/) {}

// Inputs of integers start at 0: prepare() writes what they are to hold.
void fill_input(const DeviceBuffer& buffer, std::int64_t count, Element element, DType dtype,
                std::uint64_t seed) {
    switch (element) {
        case Element::of_call:
            return fill_random(buffer.data(), count, dtype, seed);
        case Element::fp64:
            return fill_random(buffer.data(), count, DType::fp64, seed);
        case Element::fp32:
            return fill_random(buffer.data(), count, DType::fp32, seed);
        case Element::bf16:
            return fill_random(buffer.data(), count, DType::bf16, seed);
        case Element::fp16:
            return fill_random(buffer.data(), count, DType::fp16, seed);
        case Element::fp8:
            return fill_random(buffer.data(), count, DType::fp8, seed);
        default:
            return buffer.fill(0);
    }
}

}  // namespace

VariantWorkload::VariantWorkload(const Variant& variant, const Call& call)
    : variant_(variant),
      call_(call),
      context_(nullptr, variant.close != nullptr ? variant.close : nothing_to_close) {
    const NvtxRange range("kprof setup");
    make_buffers();
    if (variant_.prepare != nullptr) variant_.prepare(call_);
    if (variant_.open != nullptr) context_.reset(variant_.open(call_));
    call_.context = context_.get();
    VariantWorkload::reset();
}

void VariantWorkload::make_buffers() {
    buffers_.reserve(variant_.buffers.size());
    for (std::size_t i = 0; i < variant_.buffers.size(); ++i) {
        const BufferSpec& spec = variant_.buffers[i];
        const std::int64_t count = spec.count(call_);
        const std::size_t bytes = static_cast<std::size_t>(count) * size_of(spec.element, call_.dtype);
        if (spec.role == Role::output) {
            out_ = std::make_unique<OutputBuffer>(bytes, spec.name);
            buffers_.emplace_back();
            call_.buffer[i] = out_->data();
            continue;
        }
        buffers_.emplace_back(bytes, spec.name);
        call_.buffer[i] = buffers_.back().data();
        if (spec.role == Role::input) fill_input(buffers_.back(), count, spec.element, call_.dtype, i + 1);
    }
    if (!out_) output_index(variant_);  // throws
}

void VariantWorkload::reset() {
    out_->poison();
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (variant_.buffers[i].role == Role::scratch) buffers_[i].fill(0xFF);
        if (variant_.buffers[i].role == Role::zeroed) buffers_[i].fill(0);
    }
}

void VariantWorkload::launch() {
    variant_.launch(call_);
}

int VariantWorkload::launches() const {
    return variant_.launches != nullptr ? variant_.launches(call_) : 1;
}

int VariantWorkload::sample_launches() const {
    return variant_.sample_launches != nullptr ? variant_.sample_launches(call_) : launches();
}

void VariantWorkload::launch_sample() {
    if (variant_.launch_sample != nullptr) {
        variant_.launch_sample(call_);
    } else {
        variant_.launch(call_);
    }
}

Verification VariantWorkload::verify() {
    const NvtxRange range("kprof verify");
    if (!out_->guard_intact()) return wrote_past_the_end();
    return verify_variant(variant_, call_);
}

}  // namespace kprof
#endif
