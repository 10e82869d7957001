#include "roofline/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/format.hpp"
#include "roofline/point.hpp"

namespace kprof {
namespace {

const Ceiling* published_of(const Ceiling& measured, const Machine& machine) {
    if (measured.kind == "compute") return machine.compute(measured.name, measured.pipe);
    if (measured.name != "smem") return machine.bandwidth(measured.name);
    // Shared memory and L1 are one array with one data path; AMD's LDS has its own.
    const Ceiling* lds = machine.bandwidth("lds");
    return lds != nullptr ? lds : machine.bandwidth("l1");
}

}  // namespace

Judgement judge(const Ceiling& measured, const Machine& machine) {
    Judgement out;
    out.published = published_of(measured, machine);
    if (out.published == nullptr || out.published->value <= 0) return out;
    const Ceiling& roof = *out.published;
    out.share = measured.value / roof.value;
    double most = roof.value;
    if (roof.clock_mhz > 0) {
        const double held =
            measured.clock_mhz > 0 ? measured.clock_mhz : std::max(machine.clock_mhz, roof.clock_mhz);
        most = roof.value * held / roof.clock_mhz;
        if (measured.clock_mhz > 0) out.share_at_clock = measured.value / most;
    }
    out.suspect = measured.value > roof_tolerance * most;
    if (out.suspect) {
        out.why = fmt::format("{} of what is published{}", format_percent(100 * measured.value / most, 0),
                              roof.clock_mhz > 0 ? " at the clock held" : "");
    }
    return out;
}

}  // namespace kprof
