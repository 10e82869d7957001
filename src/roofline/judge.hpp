// A measured roof held against the published one.
#pragma once

#include <optional>
#include <string>

#include "roofline/machine.hpp"

namespace kprof {

struct Judgement {
    const Ceiling* published = nullptr;  // of the machine; nullptr: there is none of this roof
    std::optional<double> share;         // measured over published
    // Measured over published at the clock held; empty where either clock is not known or the roof does not
    // depend on it.
    std::optional<double> share_at_clock;
    bool suspect = false;
    std::string why;  // of a suspect one, as a sentence
};

// A measured value more than 3 % above what is published (scaled to the clock held where the roof has a
// clock) cannot be: the loop was optimised away, a cache served it, or the published figure is wrong. With a
// clock of its own but no clock seen, the machine's boost clock is supposed.
Judgement judge(const Ceiling& measured, const Machine& machine);

}  // namespace kprof
