#include "roofline/machine.hpp"

#include <algorithm>

namespace kprof {
namespace {

const Ceiling* highest(const std::vector<Ceiling>& measured, const std::string& kind, const std::string& name,
                       const std::string& pipe) {
    const Ceiling* best = nullptr;
    for (const Ceiling& c : measured) {
        if (c.suspect || c.kind != kind || c.name != name || c.pipe != pipe) continue;
        if (best == nullptr || c.value > best->value) best = &c;
    }
    return best;
}

}  // namespace

const Ceiling* Machine::bandwidth(const std::string& level) const {
    const auto at = std::find_if(ceilings.begin(), ceilings.end(),
                                 [&](const Ceiling& c) { return c.kind == "bandwidth" && c.name == level; });
    return at == ceilings.end() ? nullptr : &*at;
}

const Ceiling* Machine::compute(const std::string& precision, const std::string& pipe) const {
    if (pipe.empty()) {
        const Ceiling* tensor = compute(precision, "tensor");
        return tensor ? tensor : compute(precision, "vector");
    }
    const auto at = std::find_if(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) {
        return c.kind == "compute" && c.name == precision && c.pipe == pipe;
    });
    return at == ceilings.end() ? nullptr : &*at;
}

const Ceiling* Machine::measured_bandwidth(const std::string& level) const {
    return highest(measured, "bandwidth", level, "");
}

const Ceiling* Machine::measured_compute(const std::string& precision, const std::string& pipe) const {
    if (!pipe.empty()) return highest(measured, "compute", precision, pipe);
    const Ceiling* tensor = measured_compute(precision, "tensor");
    return tensor != nullptr ? tensor : measured_compute(precision, "vector");
}

}  // namespace kprof
