// The user's config of a GPU with the roofs that were measured on it.
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"
#include "roofline/machine.hpp"
#include "roofline/measured_section.hpp"

namespace kprof {

struct SavedCeilings {
    std::string path;                // written; empty: nothing was saved
    std::vector<std::string> notes;  // what a reader must know about it
};

// The section that a file gets: entries of `now` without suspects; those of `before` that were not measured
// again are kept when GPU and driver are the same, and dropped otherwise.
MeasuredSection merge_measured(const MeasuredSection& before, const MeasuredSection& now, bool* dropped);

// "NVIDIA RTX 6000 Ada" -> "nvidia-rtx-6000-ada": the id of a GPU that no config knows.
std::string config_id(const std::string& device_name);

// The text of gpus/<id>.json. `existing` is the user's file (null: none): its other fields stay. A machine
// that was described from its attributes gets a complete config, found by its exact device name.
Json overlay_json(const Machine& machine, const Json& existing, const MeasuredSection& section,
                  const std::string& device_name);

// Writes <folder>/gpus/<id>.json aside and renames it; makes the folders. Comments of a user's file cannot be
// kept: the file as it was is then left beside it (.bak). Throws Error(usage) for a file that is no config.
SavedCeilings save_ceilings(const std::string& folder, const Machine& machine, const MeasuredSection& section,
                            const std::string& device_name);

}  // namespace kprof
