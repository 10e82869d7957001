#include "kernels/support/spill_family.hpp"

namespace kprof {
namespace {

constexpr std::int64_t group_size = 1024;

std::int64_t vector_elements(const Call& call) {
    return spill_dim * call.extent[spill_systems];
}

std::int64_t matrix_elements(const Call& call) {
    return spill_dim * vector_elements(call);
}

// A product of matrix and vector a step, and the step itself: 6 x (12 + 2).
double system_flops(const Call& call) {
    return (2 * spill_dim * spill_dim + 2 * spill_dim) * static_cast<double>(call.extent[spill_steps]);
}

double flops(const Call& call) {
    return system_flops(call) * static_cast<double>(call.extent[spill_systems]);
}

double min_bytes(const Call& call) {
    return 4 * (static_cast<double>(matrix_elements(call)) + 2 * static_cast<double>(vector_elements(call)));
}

Geometry geometry(const Call& call) {
    return line_geometry(call.extent[spill_systems], spill_block);
}

// The reference steps a whole system for each element of the result.
double group_cost(const Call& call) {
    return static_cast<double>(group_size) * system_flops(call);
}

const char* refuses(const Call& call) {
    return call.extent[spill_steps] > 65536 ? "steps must be at most 65,536: rounding adds up" : nullptr;
}

}  // namespace

Variant spill_variant() {
    Variant v;
    v.family = "spill";
    v.extents = {"systems", "steps"};
    v.default_shape = {1048576, 256};
    v.dtypes = {DType::fp32};
    v.buffers = {{"matrices", matrix_elements},
                 {"start", vector_elements},
                 {"out", vector_elements, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.geometry = geometry;
    v.refuses = refuses;
    v.group = [](const Call&) { return group_size; };
    v.group_cost = group_cost;
    // Errors of 2^-24 a step that add up like a random walk, over 65,536 steps, and grow with the solution.
    v.tolerance = 1e-4;
#ifdef KPROF_WITH_CUDA
    v.reference = spill_reference;
#endif
    return v;
}

}  // namespace kprof
