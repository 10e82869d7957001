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
    std::optional<int> by_warps, by_blocks, by_registers, by_sgprs, by_smem;
    // "warps", "blocks", "registers", "scalar registers", "shared memory": all that tie
    std::vector<std::string> limiters;
    double waves = 0;     // grid blocks / (blocks_per_sm * SMs)
    std::string problem;  // why nothing fits, e.g. "needs 300 KB of shared memory, a block can have 227 KB"
};

// The allocation rules and their sources stand in the .cpp (registers per warp in granules, shared memory
// with the driver's reserve per block). Empty when the launch is not known. `sgprs`: scalar registers of a
// wave (AMD), which a Launch does not have.
std::optional<Occupancy> occupancy(const Launch& launch, const Machine& machine,
                                   std::optional<int> sgprs = std::nullopt);

// What is really taken: registers of a warp (NVIDIA) or of a lane of a wave (AMD), rounded up to the granule;
// bytes of shared memory of a block, with the driver's reserve, rounded up to the granule.
std::int64_t registers_allocated(int registers, const SmLimits& sm);
std::int64_t smem_allocated(std::int64_t bytes, const SmLimits& sm);

}  // namespace kprof
