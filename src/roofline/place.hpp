// place(): where a kernel lies on the rooflines of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "roofline/machine.hpp"

namespace kprof {

struct RooflinePoint {
    std::string machine;              // id
    std::string level;                // dram | l2 | l1
    std::string precision;            // fp32, bf16 ...
    std::string pipe;                 // vector | tensor
    std::string clock = "datasheet";  // datasheet | held (compute roof scaled to the clock the kernel ran at)
    double intensity = 0;             // FLOP/B at that level
    double performance = 0;           // FLOP/s; for what-if points: the attainable one (no time was measured)
    double attainable = 0;            // FLOP/s under the roof: min(compute, intensity * bandwidth)
    double compute_roof = 0, bandwidth_roof = 0;  // FLOP/s, B/s
    double ridge = 0;                             // FLOP/B
    // What `kprof ceilings` measured of the roofs that bind; 0: not measured. The fraction is performance (or
    // bandwidth) over what can be reached under them.
    double measured_compute_roof = 0, measured_bandwidth_roof = 0, measured_fraction = 0;
    std::string bound;        // "memory" left of the ridge, "compute" right of it
    double fraction = 0;      // performance / attainable; above about 1.03 the point is flagged
    bool above_roof = false;  // a finding about ourselves or the ceiling, never drawn silently
    std::string origin;       // counter | model (bytes from min_bytes)
    bool what_if = false;
    double time_ns = 0;  // what-if: the least time on that machine
    std::string note;
};

struct Placement {
    std::vector<RooflinePoint> points;  // the measured ones first, then what-ifs
    std::vector<std::string> notes;     // what could not be placed, and why
};

// Measured points: DRAM, L2 and L1 for the precision of the kernel's work and for each precision with counted
// FLOPs of at least 1 % of the total. Needs metrics: time, dram_bytes, l2_bytes, l1_bytes, flops (or Work). A
// kernel without FLOPs gets points of level only, with intensity 0 and performance 0: its bandwidth is in
// metrics and `fraction` is bandwidth over roof. The tolerance is 1.03: counters and events are 1 % apart,
// and clocks move.
Placement place(const KernelProfile& p, const MetricSet& metrics, const Machine& machine);

// The same kernel on another machine, from Work only: least time = max(flops / roof, min_bytes / bandwidth).
std::optional<RooflinePoint> what_if(const KernelProfile& p, const Machine& other, std::string* why_not);

}  // namespace kprof
