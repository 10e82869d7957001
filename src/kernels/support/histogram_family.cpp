#include "kernels/support/histogram_family.hpp"

namespace kprof {
namespace {

std::int64_t key_count(const Call& call) {
    return call.extent[0];
}

std::int64_t bin_count(const Call& /*call*/) {
    return histogram_bins;
}

double min_bytes(const Call& call) {
    return 4 * (static_cast<double>(call.extent[0]) + histogram_bins);
}

// One bin is a pass over all keys.
double bin_cost(const Call& call) {
    return static_cast<double>(call.extent[0]);
}

int launches(const Call& /*call*/) {
    return 2;
}

}  // namespace

Geometry histogram_geometry(const Call& call, std::int64_t smem) {
    const std::int64_t blocks = (call.extent[0] + histogram_chunk - 1) / histogram_chunk;
    Geometry g = line_geometry(blocks * histogram_threads, histogram_threads);
    g.smem_static = smem;
    return g;
}

Variant histogram_variant() {
    Variant v;
    v.family = "histogram";
    v.extents = {"n"};
    v.default_shape = {std::int64_t{1} << 28};
    v.dtypes = {DType::fp32};  // keys and counts have its 4 bytes
    v.buffers = {{"keys", key_count, Element::uint32, Role::input},
                 {"counts", bin_count, Element::uint32, Role::output}};
    v.min_bytes = min_bytes;
    v.launches = launches;
    v.group_cost = bin_cost;
    v.exact = true;
#ifdef KPROF_WITH_CUDA
    v.prepare = histogram_prepare;
    v.reference = histogram_reference;
#endif
    return v;
}

}  // namespace kprof
