// The bound model: from the counters, the time that each resource needs by itself; what is measured beyond
// the largest is latency or serialisation. And what a fix would leave, by the same model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "diagnosis/model.hpp"
#include "diagnosis/rule.hpp"
#include "diagnosis/values.hpp"

namespace kprof {

struct Bound {
    const ResourceDef* resource = nullptr;
    std::optional<double> time_ns;
    std::optional<double> share;       // of the measured time
    double achievable = 1;             // share of its peak that good kernels reach
    bool measured_roof = false;        // `achievable` is what kprof ceilings measured
    std::optional<double> limit;       // share from which a kernel is at its limit here
    std::vector<std::string> missing;  // inputs of its first formula, when there is no time
};

// Evaluates all resources and sets t.*, share.*, busiest and the titles of the busiest, then the derived
// names in the order of the file. A kernel at a limit is bound by that limit: busiest and bound name it, and
// beyond_limit what is busier still.
std::vector<Bound> apply_bound_model(Values& v, const Model& model);
// The resource at whose limit the kernel is, if any: the one that is furthest beyond its own mark.
const Bound* limit_of(const std::vector<Bound>& bounds);
std::vector<ResourceTime> resource_times(const std::vector<Bound>& bounds);

struct GainEstimate {
    double gain = 1;             // time / time after, at least 1
    double time_after = 0;       // ns
    std::string next_bound;      // what bounds the rest; empty for a gain that is not from resources
    bool measured_roof = false;  // that bound's roof is a measured one
};
struct GainOutcome {
    // Empty when the measured time or what the fix changes is not known.
    std::optional<GainEstimate> estimate;
    // While something is unseen, which may be the next bound, the estimate is only the most that it can be.
    std::vector<std::string> unseen;   // titles
    std::vector<std::string> missing;  // the names behind them
};
GainOutcome estimate_gain(const GainDef& gain, const std::vector<Bound>& bounds, const Values& v);

}  // namespace kprof
