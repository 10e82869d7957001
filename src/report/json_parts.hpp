// What analysis adds to a profile's JSON, part by part.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/report.hpp"

namespace kprof {

nlohmann::json machine_json(const Machine& m);
nlohmann::json occupancy_json(const Occupancy& o);
nlohmann::json metrics_json(const MetricSet& metrics);
nlohmann::json placement_json(const Placement& placement);
nlohmann::json diagnosis_json(const Diagnosis& d);

// null for what is not a finite number: JSON has no NaN.
nlohmann::json finite_json(double value);
nlohmann::json finite_json(const std::optional<double>& value);

}  // namespace kprof
