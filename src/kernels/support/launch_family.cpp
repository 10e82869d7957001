#include "kernels/support/launch_family.hpp"

namespace kprof {
namespace {

constexpr std::int64_t group_size = 1024;

std::int64_t elements(const Call& call) {
    return call.extent[launch_n];
}

double flops_of_one(const Call& call) {
    return 2.0 * launch_inner * static_cast<double>(call.extent[launch_steps]);
}

const char* refuses(const Call& call) {
    return call.extent[launch_steps] > 10000 ? "steps must be at most 10,000: they are as many kernels"
                                             : nullptr;
}

}  // namespace

Variant launch_variant() {
    Variant v;
    v.family = "launch";
    v.extents = {"n", "steps"};
    v.default_shape = {131072, 480};
    v.dtypes = {DType::fp32};
    v.buffers = {{"in", elements}, {"out", elements, Element::of_call, Role::output}};
    v.flops = [](const Call& c) { return flops_of_one(c) * static_cast<double>(elements(c)); };
    v.min_bytes = [](const Call& c) { return 2 * 4 * static_cast<double>(elements(c)); };
    v.geometry = [](const Call& c) { return line_geometry(elements(c), launch_block); };
    v.refuses = refuses;
    v.group = [](const Call&) { return group_size; };
    v.group_cost = [](const Call& c) { return flops_of_one(c) * static_cast<double>(group_size); };
#ifdef KPROF_WITH_CUDA
    v.reference = launch_reference;
#endif
    return v;
}

}  // namespace kprof
