// The "measured" section of a machine's config: what `kprof ceilings` measured on one GPU of that kind.
//
//   "measured": {"date": "2026-01-31T12:00:00Z", "gpu": "NVIDIA H200", "driver": "580.1", "cuda": "13.0",
//     "kprof": "0.1.0",
//     "ceilings": [{"kind", "name", "pipe", "value", "unit", "clock_mhz", "spread", "best", "repeats", "how",
//                   "suspect"}],
//     "launch": {"host_ns", "stream_ns", "graph_node_ns", "graph_host_ns"},
//     "working_sets": [{"access", "bytes_per_sm", "value", "unit", "clock_mhz", "spread"}]}
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "roofline/machine.hpp"

namespace kprof {

struct MeasuredSection {
    std::string date, gpu, driver, cuda, kprof;
    std::vector<Ceiling> ceilings;
    LaunchCosts launch;
    std::vector<WorkingSet> working_sets;
    bool empty() const;
};

// Throws Error(usage) naming file, line and field.
MeasuredSection read_measured(const JsonCursor& section);
// What read_measured() reads; a value that is not finite is left out.
Json measured_json(const MeasuredSection& section);

// Puts a section into a machine. Roofs of a kind, name and pipe that it holds take the place of those of an
// earlier layer: two GPUs' values never stand for one roof.
void apply_measured(const MeasuredSection& section, Machine& machine);

// Whether two entries are one measurement taken twice: the same roof measured in the same way.
bool same_measurement(const Ceiling& a, const Ceiling& b);

}  // namespace kprof
