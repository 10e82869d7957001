#include "roofline/machine.hpp"

#include <algorithm>

namespace kprof {

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

}  // namespace kprof
