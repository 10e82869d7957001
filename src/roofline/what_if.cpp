#include <algorithm>

#include "core/format.hpp"
#include "roofline/place.hpp"
#include "roofline/point.hpp"

namespace kprof {

std::optional<RooflinePoint> what_if(const KernelProfile& p, const Machine& other, std::string* why_not) {
    const auto no = [&](const std::string& why) -> std::optional<RooflinePoint> {
        if (why_not) *why_not = why;
        return std::nullopt;
    };
    if (!p.work) return no("the kernel's work (its FLOPs and least bytes) is not known");
    if (p.work->min_bytes <= 0) return no("the least bytes that the kernel has to move are not known");
    const Ceiling* dram = other.bandwidth("dram");
    if (!dram) return no(other.name + " has no known DRAM roof");

    RooflinePoint r;
    r.machine = other.id;
    r.level = "dram";
    r.bandwidth_roof = dram->value;
    r.origin = "model";
    r.what_if = true;
    r.bound = "memory";
    const double memory_s = p.work->min_bytes / dram->value;
    double compute_s = 0;
    if (p.work->flops > 0) {
        const ComputeRoof roof = roof_for(other, p.work->precision, p.work->matrix_product);
        if (!roof.ceiling) return no(other.name + " has no " + roof.pipe + " roof of " + p.work->precision);
        r.precision = p.work->precision;
        r.pipe = roof.pipe;
        r.compute_roof = roof.ceiling->value;
        r.intensity = p.work->flops / p.work->min_bytes;
        r.note = roof.note;
        compute_s = p.work->flops / roof.ceiling->value;
        finish(r);
        // No time was measured there: the point stands on the roof, and is no fraction of it.
        r.performance = r.attainable;
        r.fraction = 0;
    } else {
        r.note = "no FLOPs: at most " + format_bandwidth(dram->value);
    }
    r.time_ns = std::max(compute_s, memory_s) * 1e9;
    if (!is_finite(r)) return no("the kernel's FLOPs or least bytes are too large or too small to be placed");
    return r;
}

}  // namespace kprof
