// Reads clocks, power and throttling now and then while launches are being timed.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "collect/cuda/clocks.hpp"
#include "core/profile.hpp"

namespace kprof {

class ClockWatch {
  public:
    explicit ClockWatch(const Clocks& clocks) : clocks_(clocks) {}
    // Reads if 20 ms have passed since the last reading: each costs some 0.1 ms of host time.
    void sample();
    // Puts what was seen into the profile: the lowest SM clock, the highest power and temperature, every
    // throttle reason.
    void finish(Provenance& provenance) const;

  private:
    const Clocks& clocks_;
    std::optional<std::chrono::steady_clock::time_point> last_;
    std::optional<double> sm_mhz_, power_w_, temperature_c_;
    std::set<std::string> throttle_;
};

}  // namespace kprof
