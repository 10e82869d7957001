// configs/views/text.json: which values the table under the findings shows, and under which names. A metric
// is added to the screen there, not in code.
#pragma once

#include <string>
#include <vector>

#include "core/config_store.hpp"

namespace kprof {

struct ViewItem {
    // metric: a metric of the catalogue. time: with spread and repeats. intensity, roof: of the DRAM point.
    // occupancy: the metric with the theoretical value and the limiter behind it.
    std::string kind = "metric";
    std::string id;     // metric id; empty for time, intensity and roof
    std::string label;  // before the number; may be empty where the unit says it
    std::string after;  // behind the number
    // Instead of `after` where the roof was measured too: "of the {origin} {roof} roof, {measured} of the
    // measured one".
    std::string after_measured = {};
    bool optional = false;  // left out when it is missing, instead of printing "–"
};
struct ViewRow {
    std::string label;
    std::vector<ViewItem> items;
};

struct TextView {
    std::vector<ViewRow> rows;
    std::string stalls_label, stalls_unit;
    std::size_t stalls_count = 3;
    std::vector<ViewItem> stalls;
    std::size_t findings_shown = 4;  // without -v; the number left out is printed
    std::size_t full_up_to = 4;      // reports of more kernels are a table and verdicts, unless -v

    // Throws Error(usage) naming file, line and field.
    static TextView load(const ConfigStore& store);
};

}  // namespace kprof
