// How `kprof occupancy` says its answers: text for people, JSON for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/listing.hpp"
#include "roofline/occupancy_steps.hpp"

namespace kprof::cli {

// One question: a kernel's block on one GPU.
struct OccupancyQuestion {
    std::string kernel;  // from a code object; empty for numbers of the command line
    BlockNeeds needs;
    std::vector<std::string> notes;
};

// The whole answer: blocks and warps, what each resource allows, the steps up and down.
std::string occupancy_text(const OccupancyQuestion& question, const Machine& machine);
nlohmann::json occupancy_json(const OccupancyQuestion& question, const Machine& machine);
// One row a block size, whole warps up to the largest block.
Listing occupancy_sweep(const BlockNeeds& needs, const Machine& machine);
// One row a kernel.
Listing occupancy_of_kernels(const std::vector<OccupancyQuestion>& questions, const Machine& machine);

}  // namespace kprof::cli
