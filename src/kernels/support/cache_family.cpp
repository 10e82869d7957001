#include "kernels/support/cache_family.hpp"

namespace kprof {
namespace {

std::int64_t count(const Call& call) {
    return call.extent[0];
}

double elements(const Call& call) {
    return static_cast<double>(call.extent[0]);
}

const char* refuses_odd_end(const Call& call) {
    return call.extent[0] % 4 == 0 ? nullptr
                                   : "n must be a multiple of 4: the set is read in 16-byte vectors";
}

double table_flops(const Call& call) {
    return 2 * elements(call) * static_cast<double>(call.extent[1]);
}

double table_bytes(const Call& call) {
    return 4 * (2 * elements(call) + table_size);
}

const char* refuses_long_polynomials(const Call& call) {
    return call.extent[1] <= table_starts ? nullptr : "lookups must be at most 1024: the table ends there";
}

constexpr std::int64_t table_group = 1024;

std::int64_t table_reference_group(const Call& /*call*/) {
    return table_group;
}

double table_group_cost(const Call& call) {
    return 2 * static_cast<double>(table_group) * static_cast<double>(call.extent[1]);
}

}  // namespace

Variant cache_sums_variant() {
    Variant v;
    v.family = "cache";
    v.extents = {"n", "passes"};
    v.dtypes = {DType::fp32};
    v.buffers = {{"x", count, Element::of_call, Role::input}};
    v.refuses = refuses_odd_end;
    // A thread adds the same few numbers over and over, so that their rounding errors do not cancel.
    v.tolerance = 1e-4;
    return v;
}

Variant cache_table_variant() {
    Variant v;
    v.family = "cache";
    v.extents = {"n", "lookups"};
    v.default_shape = {std::int64_t{1} << 22, 256};
    v.dtypes = {DType::fp32};
    v.buffers = {{"x", count, Element::of_call, Role::input}, {"y", count, Element::of_call, Role::output}};
    v.flops = table_flops;
    v.min_bytes = table_bytes;
    v.refuses = refuses_long_polynomials;
    v.group = table_reference_group;
    v.group_cost = table_group_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = table_reference;
#endif
    return v;
}

}  // namespace kprof
