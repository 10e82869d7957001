// Measured roofs as tables for people and as one JSON document for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/listing.hpp"
#include "roofline/machine.hpp"
#include "roofline/measured_section.hpp"

namespace kprof::cli {

// Each roof with what is published beside it. The highest way of measuring a roof stands first and counts;
// the others follow it as "also".
Listing ceilings_table(const Machine& machine, const std::vector<Ceiling>& measured);
// Bandwidth by working set, one row a size.
Listing working_sets_table(const std::vector<WorkingSet>& sets);
// "host 2.1 µs a launch, stream 1.9 µs, graph node 1.2 µs"; empty when nothing was measured.
std::string launch_line(const LaunchCosts& launch);
// One sentence for each suspect roof.
std::vector<std::string> suspect_notes(const Machine& machine, const std::vector<Ceiling>& measured);

// The section with the comparison: published, share, share_at_clock, counts and suspect of every roof.
nlohmann::json ceilings_json(const Machine& machine, const MeasuredSection& section,
                             const std::vector<std::string>& notes, const std::string& saved);

}  // namespace kprof::cli
