#include "kernels/support/divergence_family.hpp"

namespace kprof {
namespace {

std::int64_t count(const Call& call) {
    return call.extent[0];
}

constexpr double flops_per_element = 2.0 * 2 * divergence_steps * divergence_rounds;

double flops(const Call& call) {
    return flops_per_element * static_cast<double>(call.extent[0]);
}

double min_bytes(const Call& call) {
    return 2 * call.size() * static_cast<double>(call.extent[0]);
}

std::int64_t reference_group(const Call& /*call*/) {
    return 1024;
}

double group_cost(const Call& /*call*/) {
    return 1024 * flops_per_element;
}

Geometry geometry(const Call& call) {
    return line_geometry(call.extent[0], divergence_threads);
}

}  // namespace

Variant divergence_variant() {
    Variant v;
    v.family = "divergence";
    v.extents = {"n"};
    v.default_shape = {std::int64_t{1} << 24};
    v.dtypes = {DType::fp32};
    v.buffers = {{"x", count, Element::of_call, Role::input}, {"y", count, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.geometry = geometry;
    v.group = reference_group;
    v.group_cost = group_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = divergence_reference;
#endif
    return v;
}

}  // namespace kprof
