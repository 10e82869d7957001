#include "kernels/support/pipes_family.hpp"

namespace kprof {
namespace {

std::int64_t elements(const Call& call) {
    return call.extent[pipes_n];
}

double steps_of_all(const Call& call) {
    return static_cast<double>(call.extent[pipes_n]) * static_cast<double>(call.extent[pipes_steps]);
}

template <int flops>
double flops_per_step(const Call& call) {
    return flops * steps_of_all(call);
}

// `arrays` of n elements of the call's type.
template <int arrays>
double bytes(const Call& call) {
    return arrays * call.size() * static_cast<double>(elements(call));
}

constexpr std::int64_t group_size = 1024;

std::int64_t group(const Call& /*call*/) {
    return group_size;
}

// `cost` FP64 operations a step.
template <int cost>
double group_cost(const Call& call) {
    return static_cast<double>(group_size * cost) * static_cast<double>(call.extent[pipes_steps]);
}

// FP32 rounds every step, and what that loses adds up like a random walk: 2e-5 after so many.
constexpr double many_steps_tolerance = 5e-5;
const char* refuses_many_steps(const Call& call) {
    return call.extent[pipes_steps] > 65536 ? "steps must be at most 65,536: rounding adds up" : nullptr;
}

Variant pipes_variant() {
    Variant v;
    v.family = "pipes";
    v.extents = {"n", "steps"};
    v.default_shape = {4194304, 4096};
    v.dtypes = {DType::fp32};
    v.buffers = {{"x", elements}, {"out", elements, Element::of_call, Role::output}};
    v.min_bytes = bytes<2>;
    v.geometry = pipes_geometry;
    v.group = group;
    return v;
}

}  // namespace

Geometry pipes_geometry(const Call& call) {
    return line_geometry(call.extent[pipes_n], pipes_block);
}

Geometry pipes_turn_geometry(const Call& call) {
    return line_geometry((call.extent[pipes_n] + 1) / 2, pipes_block);
}

Variant pipes_mirror_variant() {
    Variant v = pipes_variant();
    v.flops = flops_per_step<2>;
    v.group_cost = group_cost<2>;
#ifdef KPROF_WITH_CUDA
    v.reference = pipes_mirror_reference;
#endif
    return v;
}

Variant pipes_turn_variant() {
    Variant v = pipes_variant();
    v.flops = flops_per_step<8>;
    v.geometry = pipes_turn_geometry;
    v.group_cost = group_cost<8>;
    v.refuses = refuses_many_steps;
    v.tolerance = many_steps_tolerance;
#ifdef KPROF_WITH_CUDA
    v.reference = pipes_turn_reference;
#endif
    return v;
}

Variant pipes_angle_variant() {
    Variant v = pipes_variant();
    v.flops = flops_per_step<5>;
    v.group_cost = group_cost<60>;
    v.refuses = refuses_many_steps;
    v.tolerance = many_steps_tolerance;
#ifdef KPROF_WITH_CUDA
    v.reference = pipes_angle_reference;
#endif
    return v;
}

Variant pipes_carry_variant() {
    Variant v = pipes_variant();
    v.buffers = {{"out", elements, Element::uint32, Role::output}};
    v.min_bytes = [](const Call& call) { return 4 * static_cast<double>(elements(call)); };
    v.group_cost = group_cost<80>;
    v.exact = true;
#ifdef KPROF_WITH_CUDA
    v.reference = pipes_carry_reference;
#endif
    return v;
}

Variant pipes_half_variant() {
    Variant v = pipes_variant();
    v.dtypes = {DType::fp16};
    v.flops = flops_per_step<2>;
    v.group_cost = group_cost<2>;
#ifdef KPROF_WITH_CUDA
    v.reference = pipes_half_reference;
#endif
    return v;
}

}  // namespace kprof
