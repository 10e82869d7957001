// Collects raw counters of a workload into a profile.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "collect/counter_groups.hpp"
#include "collect/counter_source.hpp"
#include "collect/cuda/cupti_host.hpp"
#include "collect/cuda/range_session.hpp"

namespace kprof {

struct CounterRun {
    CuptiHost& host;
    RangeSession& session;
    ReplayCheck& replay_check;      // lives as long as the kernel's stages
    std::function<void()> prepare;  // before each pass; leaves the device idle
    std::function<void()> launch;
    std::size_t kernels = 1;  // that one launch is known to start
    double scale = 1;         // of sums, when the launch is a sample of the run
    // Time of each kernel, as the last configuration that holds it measured; ratios of a run of several
    // kernels are weighted by it.
    std::vector<double>* kernel_ns = nullptr;
};

// Gives every name a status in p.counters: ok, unsupported (the chip lacks it), failed, or not_collected when
// options.cancelled ended the run. Counts passes, sets the SM clock from its counter, and warns when the
// kernel did different work in different passes. Throws CuptiError when the machine refuses all counters, and
// whatever the launch throws.
void collect_counters(KernelProfile& p, const std::set<std::string>& names, const CounterRun& run,
                      const CollectOptions& options);

}  // namespace kprof
