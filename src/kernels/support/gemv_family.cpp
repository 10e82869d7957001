#include "kernels/support/gemv_family.hpp"

namespace kprof {
namespace {

std::int64_t x_count(const Call& call) {
    return call.extent[gemv_m] * call.extent[gemv_k];
}

std::int64_t w_count(const Call& call) {
    return call.extent[gemv_n] * call.extent[gemv_k];
}

std::int64_t y_count(const Call& call) {
    return call.extent[gemv_m] * call.extent[gemv_n];
}

double flops(const Call& call) {
    return 2 * static_cast<double>(call.extent[gemv_m]) * static_cast<double>(w_count(call));
}

double min_bytes(const Call& call) {
    return call.size() * (static_cast<double>(x_count(call)) + static_cast<double>(w_count(call)) +
                          static_cast<double>(y_count(call)));
}

constexpr std::int64_t group_size = 64;

std::int64_t reference_group(const Call& /*call*/) {
    return group_size;
}

double reference_cost(const Call& call) {
    return 2 * static_cast<double>(group_size) * static_cast<double>(call.extent[gemv_k]);
}

}  // namespace

const char* gemv_refuses(const Call& call) {
    return call.extent[gemv_m] > gemv_most_tokens ? "m must be at most 16: gemm is for more tokens" : nullptr;
}

Variant gemv_variant() {
    Variant v;
    v.family = "gemv";
    v.extents = {"m", "n", "k"};
    // One token against the output layer of LLaMA-3 70B: 2.1 GB of weights.
    v.default_shape = {1, 128256, 8192};
    v.dtypes = {DType::bf16};
    v.buffers = {{"x", x_count, Element::of_call, Role::input},
                 {"w", w_count, Element::of_call, Role::input},
                 {"y", y_count, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.precision = "fp32";  // a matrix and a vector: nothing for the tensor cores to gain
    v.refuses = gemv_refuses;
    v.group = reference_group;
    v.group_cost = reference_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = gemv_reference;
#endif
    return v;
}

}  // namespace kprof
