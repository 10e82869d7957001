// What the measurements share: the timed loop with its clock, and where results go. Only in a build with
// CUDA.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ceilings/measure.hpp"
#include "collect/cuda/clocks.hpp"
#include "kernels/support/device_memory.hpp"

namespace kprof {

struct Timed {
    double median_ns = 0, best_ns = 0;  // of one launch
    double spread = 0;                  // half the interquartile range over the median
    int repeats = 0;
    std::optional<double> clock_mhz;  // median of what NVML said meanwhile
};

class Bench {
  public:
    Bench(const CeilingOptions& options, CeilingRun& run, const Clocks& clocks);

    const CeilingOptions& options() const { return options_; }
    const DeviceFacts& device() const { return run_.device; }
    CeilingRun& run() { return run_; }
    unsigned* sink() const { return scratch_.as<unsigned>(); }
    unsigned* done() const { return scratch_.as<unsigned>() + 1; }

    bool stopped() const { return options_.cancelled && options_.cancelled(); }
    bool wanted(const std::string& name, const std::string& pipe = "") const;  // and not stopped
    void say(const std::string& what) const;

    // Runs `launch` until the clock has settled (some 50 ms; `settle_ms` where power matters), then in
    // batches of at least 8 ms, each timed by events; NVML is asked for the clock while a batch runs. nullopt
    // when stopped before the first batch. Throws Error(environment) on a CUDA error.
    std::optional<Timed> time(const std::function<void()>& launch, double settle_ms = 50) const;
    // One launch, for choosing between forms: the best of three, in ns.
    double glance(const std::function<void()>& launch) const;

    // `work` of one launch (B, FLOP, OP) becomes a rate.
    void add(const Ceiling& what, double work, const Timed& timed);
    // Runs a part and turns what it throws into a note: other roofs go on.
    void attempt(const std::string& what, const std::function<void()>& part);

  private:
    const CeilingOptions& options_;
    CeilingRun& run_;
    const Clocks& clocks_;
    DeviceBuffer scratch_;
};

// The roof with nothing measured yet.
Ceiling bandwidth_roof(const std::string& level, const std::string& how);
Ceiling compute_roof(const std::string& precision, const std::string& pipe, const std::string& how);

void measure_dram(Bench& bench);
void measure_caches(Bench& bench);  // L1, L2, shared memory
void measure_vector(Bench& bench);  // and the special functions
void measure_tensor(Bench& bench);
void measure_launches(Bench& bench);

}  // namespace kprof
