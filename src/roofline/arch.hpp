// An architecture: the limits of one SM (CU), and what one SM does in one clock. Boards take their limits
// from here; a board without a file of its own takes its ceilings too.
#pragma once

#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "core/profile.hpp"
#include "roofline/machine.hpp"

namespace kprof {

struct ClockRate {
    std::string kind;  // "bandwidth" | "compute"
    std::string name, pipe;
    double value = 0;  // B or FLOP in one clock of one SM
    std::string source, mark;
};

struct Arch {
    std::string id, vendor;
    std::vector<std::string> compute_capabilities;  // "9.0"
    std::vector<std::string> chips;                 // "GH100", "gfx942"
    SmLimits sm;
    std::vector<ClockRate> rates;
};

// All of configs/arch. Throws Error(usage) naming file, line and field.
std::vector<Arch> load_archs(const ConfigStore& store);

// The architecture of a device, by compute capability first and chip name second; nullptr when unknown.
const Arch* arch_of(const std::vector<Arch>& archs, const DeviceFacts& device);

// A machine made from a device's attributes: SM limits and rates from its architecture where that is known,
// clocks and the memory bus from the driver. Ceilings have origin "derived". `why` becomes its first note.
Machine describe(const DeviceFacts& device, const Arch* arch, const std::string& why);

}  // namespace kprof
