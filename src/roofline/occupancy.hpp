// Theoretical occupancy from launch facts and SM limits: our own arithmetic, so that it works for AMD and
// without CUDA.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "roofline/machine.hpp"

namespace kprof {

struct Occupancy {
    int blocks_per_sm = 0;
    int warps_per_sm = 0;
    double fraction = 0;  // warps_per_sm / max_warps
    // Blocks that each resource alone would allow; the smallest is the limiter. Registers or shared memory
    // that are not known are left out (empty).
    std::optional<int> by_warps, by_blocks, by_registers, by_smem;
    std::vector<std::string> limiters;  // "warps", "blocks", "registers", "shared memory": all that tie
    double waves = 0;                   // grid blocks / (blocks_per_sm * SMs)
    std::string problem;  // why nothing fits, e.g. "needs 300 KB of shared memory, a block can have 227 KB"
};

// The allocation rules and their sources stand in the .cpp (registers per warp in granules, shared memory
// with the driver's reserve per block). Empty when the launch is not known.
std::optional<Occupancy> occupancy(const Launch& launch, const Machine& machine);

}  // namespace kprof
