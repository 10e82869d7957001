#include "collect/cuda/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "collect/cuda/driver.hpp"
#include "collect/statistics.hpp"

namespace kprof {
namespace {

constexpr int warm_up_runs = 2;

class Event {
  public:
    Event() { check(driver().event_create(&event_, CU_EVENT_DEFAULT), "cuEventCreate"); }
    ~Event() { driver_state().table.event_destroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record() { check(driver().event_record(event_, nullptr), "cuEventRecord"); }
    void wait() { check(driver().event_synchronize(event_), "cuEventSynchronize"); }
    double ns_since(const Event& begin) const {
        float ms = 0;
        check(driver().event_elapsed_time(&ms, begin.event_, event_), "cuEventElapsedTime");
        return static_cast<double>(ms) * 1e6;
    }

  private:
    CUevent event_ = nullptr;
};

bool enough(const Timing& timing, const CollectOptions& options, double elapsed_s, double budget_s) {
    const auto count = static_cast<int>(timing.ns.size());
    if (count >= std::max(options.max_repeats, options.min_repeats)) return true;
    if (count < std::max(options.min_repeats, 1)) return false;
    return elapsed_s >= budget_s || spread_of(timing.ns).relative <= options.target_spread;
}

}  // namespace

Timing time_launches(const TimingPlan& plan, const CollectOptions& options) {
    Timing timing;
    Event begin;
    Event end;
    const auto start = std::chrono::steady_clock::now();
    for (int run = 0;; ++run) {
        if (options.cancelled && options.cancelled()) {
            timing.cancelled = true;
            return timing;
        }
        plan.prepare();
        begin.record();
        plan.launch();
        end.record();
        const bool counted = run >= warm_up_runs;
        if (counted && plan.during) plan.during();
        end.wait();
        if (!counted) continue;
        timing.ns.push_back(end.ns_since(begin));
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (enough(timing, options, elapsed.count(), plan.budget_s)) return timing;
    }
}

Measurement time_measurement(const Timing& timing) {
    if (timing.ns.empty()) {
        return Measurement::missing(
            "time", "ns", Status::not_collected,
            timing.cancelled ? "interrupted before the first timed repeat" : "not timed");
    }
    const Spread spread = spread_of(timing.ns);
    if (!(spread.median > 0)) {
        return Measurement::missing("time", "ns", Status::failed,
                                    "shorter than the timer's resolution of about 0.5 µs");
    }
    Measurement time = Measurement::of("time", spread.median, "ns", Origin::timer);
    time.spread = spread.relative;
    if (timing.cancelled) time.reason = fmt::format("interrupted after {} repeats", timing.ns.size());
    return time;
}

}  // namespace kprof
