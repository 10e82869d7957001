#include "kernels/support/transpose_family.hpp"

namespace kprof {
namespace {

std::int64_t count(const Call& call) {
    return call.extent[0] * call.extent[1];
}

double min_bytes(const Call& call) {
    return 2 * call.size() * static_cast<double>(call.extent[0]) * static_cast<double>(call.extent[1]);
}

std::int64_t reference_group(const Call& /*call*/) {
    return 1024;
}

}  // namespace

Geometry transpose_geometry(const Call& call, int columns, std::int64_t smem) {
    return tile_geometry(call.extent[0], call.extent[1], transpose_tile, columns, transpose_tile,
                         transpose_rows, smem);
}

Variant transpose_variant() {
    Variant v;
    v.family = "transpose";
    v.extents = {"rows", "columns"};
    v.default_shape = {16384, 16384};
    v.dtypes = {DType::fp32};
    v.buffers = {{"in", count, Element::of_call, Role::input},
                 {"out", count, Element::of_call, Role::output}};
    v.min_bytes = min_bytes;
    v.group = reference_group;
    v.exact = true;
#ifdef KPROF_WITH_CUDA
    v.reference = transpose_reference;
#endif
    return v;
}

}  // namespace kprof
