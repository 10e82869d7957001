#include "collect/cuda/counter_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace kprof {
namespace {

void put(KernelProfile& p, const std::string& name, Status status, const std::string& reason) {
    p.counters.emplace(name, Measurement::missing(name, "", status, reason));
}

void warn_once(KernelProfile& p, const std::string& text) {
    if (std::find(p.warnings.begin(), p.warnings.end(), text) == p.warnings.end()) p.warnings.push_back(text);
}

constexpr const char* kernel_time = "gpu__time_duration.sum";

Measurement value_of(const std::string& name, const std::vector<double>& per_kernel, const CounterRun& run) {
    static const std::vector<double> none;
    const std::vector<double>& times = run.kernel_ns != nullptr ? *run.kernel_ns : none;
    auto value = combine_ranges(name, per_kernel, times);
    if (!value) {
        return Measurement::missing(
            name, "", Status::failed,
            fmt::format("one run launches {} kernels, and this counter of them cannot be added up: kprof "
                        "profile shows each kernel alone",
                        per_kernel.size()));
    }
    if (!std::isfinite(*value)) {
        return Measurement::missing(name, "", Status::failed,
                                    "CUPTI gave no finite number: a ratio whose divisor was 0");
    }
    if (adds_up(name)) *value *= run.scale;
    return Measurement::of(name, *value, "", Origin::counter);
}

void note_kernel_times(const std::vector<std::string>& names, const RangeSession::Result& result,
                       const CounterRun& run) {
    const auto at = std::find(names.begin(), names.end(), kernel_time);
    if (run.kernel_ns == nullptr || at == names.end()) return;
    run.kernel_ns->clear();
    for (const auto& kernel : result.kernels) {
        run.kernel_ns->push_back(kernel[static_cast<std::size_t>(at - names.begin())]);
    }
}

void tell_what_is_combined(KernelProfile& p, const RangeSession::Result& result, const CounterRun& run) {
    if (result.kernels.size() > 1) {
        warn_once(p, fmt::format("a run of {} kernels: its percentages and ratios are means weighted by the "
                                 "time of each",
                                 p.launches));
    }
    if (run.scale != 1) {
        warn_once(p, fmt::format("counters are of {} of the {} kernels of a run, and scaled up", run.kernels,
                                 p.launches));
    }
}

void take_values(KernelProfile& p, const CounterConfig& config, const RangeSession::Result& result,
                 const CounterRun& run) {
    const std::vector<std::string>& names = config.names();
    if (result.kernels.empty() || result.dropped > 0) {
        const std::string reason =
            result.dropped > 0
                ? fmt::format("the run launched {} kernels more than the {} it launched before",
                              result.dropped, run.kernels)
                : "CUPTI recorded no kernel in the run";
        for (const std::string& name : names) put(p, name, Status::failed, reason);
        return;
    }
    if (result.kernels.size() != run.kernels) {
        warn_once(
            p, fmt::format("a counted run had {} kernels, the timed one {}: counters and time may describe "
                           "different work",
                           result.kernels.size(), run.kernels));
    }
    note_kernel_times(names, result, run);
    tell_what_is_combined(p, result, run);
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::vector<double> per_kernel;
        per_kernel.reserve(result.kernels.size());
        for (const auto& kernel : result.kernels) per_kernel.push_back(kernel[i]);
        const Measurement m = value_of(names[i], per_kernel, run);
        if (m.ok()) {
            const std::string difference = run.replay_check.note(names[i], m.value);
            if (!difference.empty()) warn_once(p, difference);
        }
        p.counters.emplace(names[i], m);
    }
}

// Schedules the names; those that CUPTI does not know get their status here.
std::vector<std::shared_ptr<const CounterConfig>> schedule(KernelProfile& p,
                                                           const std::set<std::string>& names,
                                                           CuptiHost& host) {
    std::set<std::string> open;
    for (const std::string& name : names) {
        if (p.counters.count(name) != 0) continue;
        if (host.known(name)) {
            open.insert(name);
        } else {
            put(p, name, Status::unsupported,
                fmt::format("{} has no counter {}", host.chip(), base_metric(name)));
        }
    }
    CounterGroups groups = group_counters(open);
    std::vector<std::string> extras{kernel_time};
    for (const Invariant& i : replay_invariants()) extras.emplace_back(i.name);
    if (!groups.hardware.empty()) groups.hardware = host.with_free_extras(groups.hardware, extras);

    std::vector<std::shared_ptr<const CounterConfig>> configs;
    for (const auto* group : {&groups.hardware, &groups.sass}) {
        const CuptiHost::Schedule part = host.schedule(*group);
        configs.insert(configs.end(), part.configs.begin(), part.configs.end());
        for (const std::string& name : part.rejected) {
            put(p, name, Status::unsupported,
                fmt::format(
                    "CUPTI does not take {} on {}: the part after the dot is unknown, or the device does "
                    "not offer it",
                    name, host.chip()));
        }
    }
    return configs;
}

// The SM clock while the kernel ran: NVML averages over a longer time and misses short kernels.
void take_clock(KernelProfile& p) {
    const auto clock = p.counters.find("sm__cycles_elapsed.avg.per_second");
    if (clock != p.counters.end() && clock->second.ok() && clock->second.value > 0) {
        p.provenance.clock_sm_mhz = clock->second.value / 1e6;
    }
}

}  // namespace

void collect_counters(KernelProfile& p, const std::set<std::string>& names, const CounterRun& run,
                      const CollectOptions& options) {
    const auto configs = schedule(p, names, run.host);
    std::size_t total = 0;
    for (const auto& config : configs) total += config->passes();
    std::size_t before = 0;
    bool interrupted = false;
    for (const auto& config : configs) {
        RangeSession::Replay replay;
        replay.prepare = run.prepare;
        replay.launch = run.launch;
        replay.cancelled = options.cancelled;
        replay.max_kernels = run.kernels + 3;  // room to notice that there are more than expected
        replay.progress = [&](std::size_t pass, std::size_t) {
            if (options.progress) options.progress(fmt::format("counters {}/{}", before + pass, total));
        };
        try {
            const RangeSession::Result result = run.session.run(*config, replay);
            p.provenance.passes += static_cast<int>(result.passes);
            if (result.complete) {
                take_values(p, *config, result, run);
            } else {
                interrupted = true;
                break;
            }
        } catch (const CuptiError& e) {
            if (e.refuses_all()) throw;
            for (const std::string& name : config->names()) put(p, name, Status::failed, e.what());
        }
        before += config->passes();
    }
    if (interrupted) {
        warn_once(p, "interrupted while counters were collected: those of the unfinished passes are missing");
        for (const std::string& name : names) put(p, name, Status::not_collected, "interrupted");
    }
    take_clock(p);
}

}  // namespace kprof
