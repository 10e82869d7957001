#include "kernels/support/swiglu_family.hpp"

#include "kernels/support/vector_map.hpp"

namespace kprof {
namespace {

double elements(const Call& call) {
    return static_cast<double>(call.extent[0]) * static_cast<double>(call.extent[1]);
}

// -x, exp, +1, division, · up: an operation each.
double flops(const Call& call) {
    return 5 * elements(call);
}

double min_bytes(const Call& call) {
    return 3 * elements(call) * call.size();
}

std::int64_t reference_group(const Call& /*call*/) {
    return 1024;
}

double reference_cost(const Call& /*call*/) {
    return 1024 * 50;  // an exponential and a division in FP64 are a few dozen operations
}

// A grid ends at 2^31 - 1 blocks: of 128 threads with 16 bytes each.
const char* refuses(const Call& call) {
    constexpr double most = 1e12;
    return elements(call) > most ? "tokens x ffn must be at most 1e12" : nullptr;
}

}  // namespace

std::int64_t swiglu_elements(const Call& call) {
    return call.extent[0] * call.extent[1];
}

Geometry swiglu_geometry(const Call& call) {
    return map_geometry(swiglu_elements(call), call.dtype);
}

Variant swiglu_variant() {
    Variant v;
    v.family = "swiglu";
    v.extents = {"tokens", "ffn"};
    v.default_shape = {8192, 28672};
    v.dtypes = {DType::bf16, DType::fp32};
    v.buffers = {{"gate", swiglu_elements, Element::of_call, Role::input},
                 {"up", swiglu_elements, Element::of_call, Role::input},
                 {"out", swiglu_elements, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.precision = "fp32";  // whatever lies in memory
    v.refuses = refuses;
    v.group = reference_group;
    v.group_cost = reference_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = swiglu_reference;
#endif
    return v;
}

}  // namespace kprof
