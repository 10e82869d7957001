// CUPTI's range profiler on one context. Life: constructed = enabled; run() for each set of counters;
// destroyed = disabled. Only one may exist for a context, and launches cost a little more while it does: keep
// it for the stages of one kernel and no longer.
//
// Mode: every kernel is a range of its own (AutoRange) and we relaunch it once per pass (UserReplay), so
// nothing is saved and restored by CUPTI, and what we do between passes (reset, L2 flush) is not measured.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collect/cuda/cupti_host.hpp"

namespace kprof {

class RangeSession {
  public:
    explicit RangeSession(CUcontext context);  // CuptiError when the profiler cannot be enabled
    ~RangeSession();
    RangeSession(const RangeSession&) = delete;
    RangeSession& operator=(const RangeSession&) = delete;

    struct Replay {
        std::function<void()> prepare;  // before each pass, outside the range; must leave the device idle
        std::function<void()> launch;   // enqueues the kernels of one pass
        std::function<bool()> cancelled;
        std::function<void(std::size_t done, std::size_t total)> progress;
        std::size_t max_kernels = 1;  // kernels per launch that there is room for
    };
    struct Result {
        bool complete = false;                     // false: cancelled before the last pass; no values then
        std::size_t passes = 0;                    // launches made
        std::size_t dropped = 0;                   // kernels for which there was no room
        std::vector<std::vector<double>> kernels;  // per kernel, in the order of the config's names
    };
    Result run(const CounterConfig& config, const Replay& replay);

  private:
    void enable();
    void disable() noexcept;
    void renew();
    void set_config(const CounterConfig& config, std::size_t max_kernels);
    bool one_pass(const Replay& replay);  // true when that was the last one

    CUcontext context_;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
    bool used_ = false;  // a configuration has been set on profiler_
    // The counter data image: CUPTI holds its address from SetConfig until the next SetConfig or Disable.
    std::vector<std::uint8_t> data_;
};

// The device's counter availability image. Takes 0.2 to 0.6 s; fails while a profiler is enabled, and is the
// first call that fails when counters are restricted. Needs cuptiProfilerInitialize.
std::vector<std::uint8_t> counter_availability(CUcontext context);

}  // namespace kprof
