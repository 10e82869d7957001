#include "kernels/support/gather_family.hpp"

#include <algorithm>

namespace kprof {
namespace {

std::int64_t table_count(const Call& call) {
    const GatherShape s = gather_shape(call);
    return s.rows * s.width;
}

std::int64_t index_count(const Call& call) {
    return gather_shape(call).tokens;
}

std::int64_t out_count(const Call& call) {
    const GatherShape s = gather_shape(call);
    return s.tokens * s.width;
}

// Row numbers and output once, and of the table the rows that are asked for.
double min_bytes(const Call& call) {
    const GatherShape s = gather_shape(call);
    const auto tokens = static_cast<double>(s.tokens);
    const double touched = std::min(tokens, static_cast<double>(s.rows));
    return 4 * tokens + 4 * static_cast<double>(s.width) * (tokens + touched);
}

std::int64_t reference_group(const Call& /*call*/) {
    return 1024;
}

}  // namespace

Geometry gather_narrow_geometry(const Call& call) {
    return line_geometry(gather_shape(call).tokens, gather_threads);
}

const char* gather_narrow_refuses(const Call& call) {
    const std::int64_t width = gather_shape(call).width;
    return width == 1 || width == 2 || width == 4 ? nullptr : "width must be 1, 2 or 4: a row is one load";
}

Variant gather_variant() {
    Variant v;
    v.family = "gather";
    v.extents = {"rows", "width", "tokens"};
    v.default_shape = {std::int64_t{1} << 27, 2, std::int64_t{1} << 27};
    v.dtypes = {DType::fp32};
    v.buffers = {{"table", table_count, Element::of_call, Role::input},
                 {"row numbers", index_count, Element::int32, Role::input},
                 {"out", out_count, Element::of_call, Role::output}};
    v.min_bytes = min_bytes;
    v.group = reference_group;
    v.exact = true;
#ifdef KPROF_WITH_CUDA
    v.prepare = gather_prepare_random;
    v.reference = gather_reference;
#endif
    return v;
}

}  // namespace kprof
