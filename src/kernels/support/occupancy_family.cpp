#include "kernels/support/occupancy_family.hpp"

#include <algorithm>
#include <numeric>

namespace kprof {
namespace {

std::int64_t lists(const Call& call) {
    return call.extent[occupancy_lists];
}

std::int64_t pages(const Call& call) {
    return lists(call) * call.extent[occupancy_hops];
}

std::int64_t page_elements(const Call& call) {
    return pages(call) * page_quads * 4;
}

std::int64_t weights(const Call& call) {
    return call.extent[occupancy_hops] * page_quads * 4;
}

std::int64_t out_elements(const Call& call) {
    return lists(call) * page_numbers;
}

double flops(const Call& call) {
    return 2.0 * page_numbers * static_cast<double>(pages(call));
}

double min_bytes(const Call& call) {
    return 4 * static_cast<double>(page_elements(call) + weights(call) + lists(call) + out_elements(call));
}

double group_cost(const Call& call) {
    return 4.0 * page_numbers * static_cast<double>(call.extent[occupancy_hops]);
}

const char* refuses(const Call& call) {
    const double all = static_cast<double>(lists(call)) * static_cast<double>(call.extent[occupancy_hops]);
    return all > 2147483647.0 ? "lists x hops must be at most 2,147,483,647" : nullptr;
}

}  // namespace

std::int64_t page_stride(std::int64_t pages) {
    auto stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(0.618 * static_cast<double>(pages)));
    while (std::gcd(stride, pages) != 1) ++stride;
    return stride;
}

Geometry occupancy_geometry(const Call& call, std::uint32_t threads, int together) {
    const std::int64_t warps = (lists(call) + together - 1) / together;
    return line_geometry(warps * page_quads, threads);
}

const char* occupancy_smem_refuses(const Call& call) {
    if (call.extent[occupancy_hops] > occupancy_hops_in_smem) {
        return "hops must be at most 256: their weights lie in shared memory";
    }
    return refuses(call);
}

Variant occupancy_variant() {
    Variant v;
    v.family = "occupancy";
    v.extents = {"lists", "hops"};
    v.default_shape = {65536, 32};
    v.dtypes = {DType::fp32};
    v.buffers = {{"pages", page_elements},
                 {"heads", lists, Element::int32},
                 {"weights", weights},
                 {"out", out_elements, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.refuses = refuses;
    v.group = [](const Call&) -> std::int64_t { return page_numbers; };
    v.group_cost = group_cost;
#ifdef KPROF_WITH_CUDA
    v.prepare = occupancy_prepare;
    v.reference = occupancy_reference;
#endif
    return v;
}

}  // namespace kprof
