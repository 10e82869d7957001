#include "kernels/support/gelu_family.hpp"

namespace kprof {
namespace {

// x·x, ·x, ·0.044715, +x, ·√(2/π), tanh, +1, ·x, ·1/2: an operation each.
constexpr double flops_per_element = 9;

double flops(const Call& call) {
    return flops_per_element * static_cast<double>(call.extent[0]);
}

double min_bytes(const Call& call) {
    return 2 * static_cast<double>(call.extent[0]) * call.size();
}

std::int64_t reference_group(const Call& /*call*/) {
    return 1024;
}

double reference_cost(const Call& /*call*/) {
    return 1024 * 50;  // a tanh in FP64 is a few dozen operations
}

}  // namespace

std::int64_t gelu_elements(const Call& call) {
    return call.extent[0];
}

Variant gelu_variant() {
    Variant v;
    v.family = "gelu";
    v.extents = {"n"};
    v.default_shape = {std::int64_t{16384} * 16384};
    v.dtypes = {DType::fp32, DType::bf16};
    v.buffers = {{"x", gelu_elements, Element::of_call, Role::input},
                 {"out", gelu_elements, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.precision = "fp32";  // whatever lies in memory
    v.group = reference_group;
    v.group_cost = reference_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = gelu_reference;
#endif
    return v;
}

}  // namespace kprof
