#include "collect/counter_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/strings.hpp"

namespace kprof {

CounterGroups group_counters(const std::set<std::string>& names) {
    CounterGroups groups;
    for (const std::string& name : names) {
        (contains(name, "__sass_") ? groups.sass : groups.hardware).push_back(name);
    }
    return groups;
}

std::string base_metric(const std::string& name) {
    return name.substr(0, name.find('.'));
}

std::optional<double> combine_ranges(const std::string& name, const std::vector<double>& per_kernel) {
    if (per_kernel.empty()) return std::nullopt;
    if (per_kernel.size() == 1) return per_kernel.front();
    if (name.substr(base_metric(name).size()) != ".sum") return std::nullopt;
    return std::accumulate(per_kernel.begin(), per_kernel.end(), 0.0);
}

const std::vector<Invariant>& replay_invariants() {
    // Executed instructions are exact; issued ones include replays by the memory pipes, which depend on
    // timing.
    static const std::vector<Invariant> all = {{"smsp__inst_executed.sum", 0.001},
                                               {"smsp__inst_issued.sum", 0.02}};
    return all;
}

std::string ReplayCheck::note(const std::string& name, double value) {
    const auto& all = replay_invariants();
    const auto rule =
        std::find_if(all.begin(), all.end(), [&](const Invariant& i) { return name == i.name; });
    if (rule == all.end() || !std::isfinite(value)) return {};
    const auto [seen, fresh] = first_.emplace(name, value);
    const double larger = std::max(std::abs(value), std::abs(seen->second));
    if (fresh || larger == 0 || std::abs(value - seen->second) <= rule->tolerance * larger) return {};
    return fmt::format(
        "the kernel did different work from pass to pass ({} was {:.4g}, then {:.4g}): counters of different "
        "stages do not describe the same execution",
        name, seen->second, value);
}

}  // namespace kprof
