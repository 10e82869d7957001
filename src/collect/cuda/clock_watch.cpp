#include "collect/cuda/clock_watch.hpp"

#include <algorithm>

#include "core/strings.hpp"

namespace kprof {
namespace {

void keep(std::optional<double>& kept, const std::optional<double>& seen, double (*choose)(double, double)) {
    if (seen) kept = kept ? choose(*kept, *seen) : *seen;
}

double smaller(double a, double b) {
    return std::min(a, b);
}
double greater(double a, double b) {
    return std::max(a, b);
}

}  // namespace

void ClockWatch::sample() {
    const auto now = std::chrono::steady_clock::now();
    if (last_ && now - *last_ < std::chrono::milliseconds(20)) return;
    last_ = now;
    keep(sm_mhz_, clocks_.sm_mhz(), smaller);
    keep(power_w_, clocks_.power_w(), greater);
    keep(temperature_c_, clocks_.temperature_c(), greater);
    const std::string reasons = clocks_.throttle();
    if (reasons.empty()) return;
    for (const std::string& reason : split(reasons, ',')) throttle_.insert(trim(reason));
}

void ClockWatch::finish(Provenance& provenance) const {
    provenance.clock_sm_mhz = sm_mhz_;
    provenance.power_w = power_w_;
    provenance.temperature_c = temperature_c_;
    provenance.throttle = join({throttle_.begin(), throttle_.end()}, ", ");
}

}  // namespace kprof
