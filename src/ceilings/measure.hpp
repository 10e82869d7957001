// Measures what this GPU's memories and pipes really reach, with loops that do nothing else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "roofline/measured_section.hpp"

namespace kprof {

struct CeilingOptions {
    int device = 0;
    bool quick = false;             // fewer and shorter repeats: a look, with more spread
    std::vector<std::string> only;  // words of ceiling_words(); empty: everything
    std::function<bool()> cancelled;
    std::function<void(const std::string&)> progress;  // what is being measured now
};

struct CeilingRun {
    MeasuredSection section;
    DeviceFacts device;
    std::vector<std::string> notes;  // what could not be measured, and why
    bool interrupted = false;        // cancelled: the section holds what was done
};

// What `only` may hold: levels, precisions, pipes, "launch".
const std::vector<std::string>& ceiling_words();
// Whether a roof is asked for: by its name or by its pipe ("tensor", "vector").
bool asked_for(const CeilingOptions& options, const std::string& name, const std::string& pipe = "");

// Throws Error(environment) where there is no usable GPU; what a single roof lacks is a note.
CeilingRun measure_ceilings(const CeilingOptions& options);

}  // namespace kprof
