// Which FLOPs a kernel did, by precision and pipe: the algorithm's own, and what counters saw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/profile.hpp"

namespace kprof {

struct CountedFlops {
    std::string precision, pipe;
    double flops = 0;
};

// From the metrics "flops_<precision>" (vector pipes) and "flops_tensor_<precision>" ("ops_..." of integers),
// largest first. Those below 1 % of their sum, or of `known_total` where that is more (tensor operations may
// not have been counted), are address arithmetic and the like, and are left out.
std::vector<CountedFlops> counted_flops(const MetricSet& metrics, double known_total);

// The value of a metric that is ok, else nothing.
std::optional<double> ok_value(const MetricSet& metrics, const std::string& id);

}  // namespace kprof
