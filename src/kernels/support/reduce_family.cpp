#include "kernels/support/reduce_family.hpp"

#include <algorithm>

namespace kprof {
namespace {

std::int64_t count(const Call& call) {
    return call.extent[0];
}

std::int64_t one(const Call& /*call*/) {
    return 1;
}

double flops(const Call& call) {
    return static_cast<double>(call.extent[0]);
}

double min_bytes(const Call& call) {
    return call.size() * (static_cast<double>(call.extent[0]) + 1);
}

constexpr std::int64_t reference_sums = 2048;

std::int64_t reference_scratch(const Call& /*call*/) {
    return reference_sums;
}

}  // namespace

std::int64_t partial_sums(std::int64_t n, std::int64_t tile) {
    std::int64_t sums = 0;
    while (n > tile) {
        n = (n + tile - 1) / tile;
        sums += aligned_sums(n);
    }
    return std::max<std::int64_t>(sums, 1);
}

int reduce_levels(std::int64_t n, std::int64_t tile) {
    int levels = 1;
    for (; n > tile; ++levels) n = (n + tile - 1) / tile;
    return levels;
}

std::int64_t atomic_sum_count(const Call& /*call*/) {
    return std::int64_t{atomic_sums} * floats_between_sums;
}

int atomic_launches(const Call& /*call*/) {
    return 2;
}

Variant reduce_variant() {
    Variant v;
    v.family = "reduce";
    v.extents = {"n"};
    v.default_shape = {std::int64_t{1} << 28};
    v.dtypes = {DType::fp32};
    v.buffers = {{"x", count, Element::of_call, Role::input}, {"sum", one, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.group_cost = flops;
    v.reference_scratch = reference_scratch;
#ifdef KPROF_WITH_CUDA
    v.prepare = reduce_prepare;
    v.reference = reduce_reference;
#endif
    return v;
}

}  // namespace kprof
