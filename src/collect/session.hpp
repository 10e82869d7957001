// The staged loop: collect a stage, diagnose, collect what the open branches want, until nothing more is
// wanted.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "collect/counter_source.hpp"

namespace kprof {

// Which metrics a forced stage asks for (configs/views/stages.json): quick | default | full; "" = staged by
// the tree.
struct StagePlan {
    std::string forced;                     // value of --metrics
    std::set<std::string> first;            // metric ids of the first stage
    std::set<std::string> default_metrics;  // of `default`
    std::set<std::string> full;             // of `full`
};
StagePlan load_stages(const ConfigStore& store, const std::string& forced);

// Given the profile so far, the metric ids still wanted (empty ends the loop). The callback holds analysis,
// so that collection does not depend on diagnosis.
using WantedMetrics = std::function<std::set<std::string>(const KernelProfile&)>;
// Raw counters for metric ids on the profile's chip.
using CountersFor = std::function<std::set<std::string>(const KernelProfile&, const std::set<std::string>&)>;

// Runs the loop with at most six stages. A metric that stays without a value is not asked for
// twice. A failing stage keeps what earlier ones gave and adds a warning.
KernelProfile collect_staged(CounterSource& source, const KernelRequest& request, const StagePlan& plan,
                             const CollectOptions& options, const WantedMetrics& wanted,
                             const CountersFor& counters_for);

}  // namespace kprof
