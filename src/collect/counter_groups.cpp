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

bool adds_up(const std::string& name) {
    const std::string base = base_metric(name), rollup = name.substr(base.size());
    if (rollup == ".sum" || rollup == ".avg") return true;
    return rollup == ".max" && contains(base, "cycles_elapsed");
}

namespace {

// ".avg.pct_of_peak_sustained_elapsed", ".pct", ".ratio", ".per_second", ".per_cycle_active": a value of a
// time span, not a count.
bool is_rate(const std::string& rollup) {
    for (const char* part : {".pct", ".ratio", "_sustained", ".per_second", ".per_cycle"}) {
        if (contains(rollup, part)) return true;
    }
    return false;
}

}  // namespace

std::optional<double> combine_ranges(const std::string& name, const std::vector<double>& per_kernel,
                                     const std::vector<double>& time_ns) {
    if (per_kernel.empty()) return std::nullopt;
    if (per_kernel.size() == 1) return per_kernel.front();
    const std::string rollup = name.substr(base_metric(name).size());
    if (adds_up(name)) return std::accumulate(per_kernel.begin(), per_kernel.end(), 0.0);
    if (!is_rate(rollup) || time_ns.size() != per_kernel.size()) return std::nullopt;
    double weighted = 0, weights = 0;
    for (std::size_t i = 0; i < per_kernel.size(); ++i) {
        // The ratio of a kernel that does nothing of the kind (0 / 0) is no part of the mean.
        if (!std::isfinite(per_kernel[i])) continue;
        weighted += per_kernel[i] * time_ns[i];
        weights += time_ns[i];
    }
    if (!(weights > 0)) return std::nullopt;
    return weighted / weights;
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
