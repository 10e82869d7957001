// The kernel's time, by CUDA events around each launch.
#pragma once

#include <functional>
#include <vector>

#include "collect/counter_source.hpp"

namespace kprof {

struct TimingPlan {
    // Before each repeat, outside the events; enqueues and does not wait, so that host time between launch
    // and event stays hidden behind it.
    std::function<void()> prepare;
    std::function<void()> launch;
    // After a repeat is enqueued, while it runs: may read clocks.
    std::function<void()> during;
    double budget_s = 0.3;  // wall time after which no more than the least number of repeats is made
};

struct Timing {
    std::vector<double> ns;  // one per repeat
    bool cancelled = false;  // ended early
};

// Repeats until the spread is options.target_spread, but at least min_repeats and at most max_repeats. Two
// warm-up runs go before and are not counted. Throws Error(environment) on a CUDA error.
Timing time_launches(const TimingPlan& plan, const CollectOptions& options);

// Median, spread and reason as the profile's "time"; missing (with the reason) without repeats, or when the
// events are too coarse for the kernel.
Measurement time_measurement(const Timing& timing);

}  // namespace kprof
