// Which raw counters may share a collection, and what several kernels of one run give together. Pure rules
// about counter names; collect/cuda does the collecting.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kprof {

struct CounterGroups {
    std::vector<std::string> hardware;  // read from hardware counters
    std::vector<std::string> sass;      // counted by patched code: always a pass of its own, and much slower
};
// Splits by name; hardware and SASS counters in one configuration would make every SASS counter wait for all
// hardware passes, and the fast part of a stage would be lost with the slow one when that fails.
CounterGroups group_counters(const std::set<std::string>& names);

// "dram__bytes_read" of "dram__bytes_read.sum": the part that a chip's list of base metrics holds.
std::string base_metric(const std::string& name);

// True for what adds up over kernels that run one after the other: plain ".sum", plain ".avg" (a mean over
// units, so that the sum of means is the mean of the sums), and the elapsed cycles of the slowest unit.
bool adds_up(const std::string& name);

// One value for a run of several kernels. What adds_up() is added up. Rates and
// shares of a peak are means weighted by each kernel's time (`time_ns`, one a kernel): exact for what is per
// elapsed time, close for ratios of other things. Nothing without times, and for extremes and plain averages
// of counts.
std::optional<double> combine_ranges(const std::string& name, const std::vector<double>& per_kernel,
                                     const std::vector<double>& time_ns);

// Counters that must be the same in every replay of a kernel, with the relative difference that is still
// noise. They tell a kernel that did other work in a later pass (in-place input, data-dependent loops).
struct Invariant {
    const char* name;
    double tolerance;
};
const std::vector<Invariant>& replay_invariants();

// Remembers the first value of each invariant and describes a later one that differs.
class ReplayCheck {
  public:
    // Empty when the value fits what was seen before, else a sentence for people.
    std::string note(const std::string& name, double value);

  private:
    std::map<std::string, double> first_;
};

}  // namespace kprof
