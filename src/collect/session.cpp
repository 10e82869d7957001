#include "collect/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/strings.hpp"

namespace kprof {
namespace {

constexpr int max_stages = 6;

std::set<std::string> without(const std::set<std::string>& from, const std::set<std::string>& what) {
    std::set<std::string> rest;
    std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::inserter(rest, rest.end()));
    return rest;
}

std::set<std::string> id_set(const JsonCursor& root, const std::string& key) {
    const std::vector<std::string> ids = root.at(key).strings();
    return {ids.begin(), ids.end()};
}

struct Stage {
    std::string name;
    std::set<std::string> metrics;
};

// The stages known beforehand. The first set goes alone even when more is forced: it fits in one pass, so
// that time, clock and traffic describe one and the same execution.
std::vector<Stage> planned_stages(const StagePlan& plan) {
    std::vector<Stage> stages{{"first", plan.first}};
    if (plan.forced == "default") stages.push_back({"default", without(plan.default_metrics, plan.first)});
    if (plan.forced == "full") stages.push_back({"full", without(plan.full, plan.first)});
    return stages;
}

bool any_counter(const KernelProfile& p) {
    return std::any_of(p.counters.begin(), p.counters.end(), [](const auto& c) { return c.second.ok(); });
}

// True when the loop may go on.
bool run_stage(CounterSource& source, KernelProfile& p, const Stage& stage,
               const std::set<std::string>& counters, const CollectOptions& options) {
    try {
        source.collect(p, counters, stage.name, options);
        return p.failure.empty();
    } catch (const Error& e) {
        // With no counter at all there is nothing to diagnose: the remedy and its exit code matter more.
        if (e.code() == ExitCode::environment && stage.name == "first" && !any_counter(p)) throw;
        const std::string hint = e.hint().empty() ? "" : " (" + e.hint() + ")";
        p.warnings.push_back(fmt::format("counter stage '{}' failed: {}{}", stage.name, e.what(), hint));
        return false;
    }
}

}  // namespace

StagePlan load_stages(const ConfigStore& store, const std::string& forced) {
    const std::vector<std::string> choices = {"quick", "default", "full"};
    if (!forced.empty() && std::find(choices.begin(), choices.end(), forced) == choices.end()) {
        throw usage_error(
            fmt::format("unknown set of metrics '{}'{}", forced, did_you_mean(forced, choices)),
            "--metrics quick|default|full, or leave it out: the tree then asks for what it needs");
    }
    const JsonDocument document = store.load("views/stages.json");
    const JsonCursor root = document.root();
    root.only({"first", "default", "full"});
    StagePlan plan;
    plan.forced = forced;
    plan.first = id_set(root, "first");
    plan.default_metrics = id_set(root, "default");
    plan.full = id_set(root, "full");
    return plan;
}

KernelProfile collect_staged(CounterSource& source, const KernelRequest& request, const StagePlan& plan,
                             const CollectOptions& options, const WantedMetrics& wanted,
                             const CountersFor& counters_for) {
    KernelProfile p = source.begin(request, options);
    if (!p.failure.empty()) return p;

    const std::vector<Stage> planned = planned_stages(plan);
    std::set<std::string> asked;  // counters; each is asked for once, whatever became of it
    for (int index = 0; index < max_stages; ++index) {
        if (options.cancelled && options.cancelled()) {
            p.warnings.push_back(fmt::format(
                "interrupted before counter stage {}: what had been measured is kept", index + 1));
            break;
        }
        const auto place = static_cast<std::size_t>(index);
        Stage stage;
        if (place < planned.size()) {
            stage = planned[place];
        } else if (plan.forced.empty()) {
            stage = {fmt::format("follow-up {}", index), wanted(p)};
        } else {
            break;
        }
        const bool more_planned = place + 1 < planned.size();
        if (stage.metrics.empty() && !more_planned && place >= planned.size()) break;
        const std::set<std::string> counters = without(counters_for(p, stage.metrics), asked);
        if (counters.empty()) {
            // A follow-up that needs no new counter would be wanted again for ever.
            if (place >= planned.size()) break;
            continue;
        }
        asked.insert(counters.begin(), counters.end());
        if (!run_stage(source, p, stage, counters, options)) break;
    }
    return p;
}

}  // namespace kprof
