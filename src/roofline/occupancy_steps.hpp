// Around one occupancy: what each resource takes, what would reach the next step up, and how far the next
// step down is. Pure arithmetic over occupancy().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/occupancy.hpp"

namespace kprof {

// What one block of a kernel needs. Registers that are not known do not limit.
struct BlockNeeds {
    int threads = 0;
    std::optional<int> registers;  // per thread; AMD: VGPRs, accumulation VGPRs included
    std::optional<int> sgprs;      // AMD: scalar registers per wave
    std::int64_t smem = 0;         // bytes per block, static and dynamic
};

Occupancy occupancy_of(const BlockNeeds& needs, const Machine& machine);

// One row of the limits. `allocated` of `available`, both in `unit`, is what the hardware counts.
struct ResourceUse {
    std::string resource;       // as in Occupancy::limiters
    std::optional<int> blocks;  // that it alone allows; empty: it does not limit
    bool limits = false;        // it is (one of) the smallest
    std::int64_t asked = 0, allocated = 0, available = 0;
    std::string unit;
};
std::vector<ResourceUse> resource_uses(const BlockNeeds& needs, const Machine& machine);

// "At most this much of it."
struct ResourceBound {
    std::string resource;
    std::int64_t now = 0, at_most = 0;
};

struct OccupancyStep {
    Occupancy reached;
    std::vector<ResourceBound> bounds;  // all of them together reach it
};
// The next larger number of blocks of this size; empty when warps or blocks are the limit, or when no number
// of registers and bytes reaches it.
std::optional<OccupancyStep> step_up(const BlockNeeds& needs, const Machine& machine);

struct BlockSizeStep {
    int threads = 0;
    Occupancy reached;
};
// The block size nearest to this one (in whole warps) with more warps per SM, all else the same per thread
// and per block; empty when there is none.
std::optional<BlockSizeStep> nearest_better_block(const BlockNeeds& needs, const Machine& machine);

struct OccupancyMargin {
    std::string resource;
    std::int64_t now = 0, up_to = 0;  // as many blocks fit up to here
    Occupancy beyond;                 // with one more; 0 blocks: it no longer fits
};
// For registers, scalar registers and shared memory, where they are known and more of them can cost blocks.
std::vector<OccupancyMargin> step_down(const BlockNeeds& needs, const Machine& machine);

}  // namespace kprof
