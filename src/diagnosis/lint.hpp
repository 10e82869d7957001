// Faults of rule and model files that a reader of one file cannot see: unknown names, rules that cannot fire,
// numbers without a source.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "diagnosis/diagnose.hpp"

namespace kprof {

struct Model;
struct RuleDef;

// Whether a formula may use this name: a metric, a constant, a derived name, a resource's time or share, a
// fact. Without metric ids every name without a dot passes.
bool is_known_name(const std::string& name, const Model& model, const std::set<std::string>& metric_ids);
// All names without a family, for "did you mean".
std::vector<std::string> name_list(const Model& model, const std::set<std::string>& metric_ids);
// A rule fires only through its metric: what keeps this one from doing so.
std::vector<std::string> reach_faults(const RuleDef& rule);

// Every name that formulas and sentences of rules and model use.
std::set<std::string> names_used(const RuleSet& rules);

// Sentences like "rule 'coalescing': 'sectors_per_requst' is no metric and no fact"; empty when all is well.
// `metric_ids` are those of the catalogue; empty skips the check of metric names (facts are still told apart
// from derived names and resources).
std::vector<std::string> lint(const RuleSet& rules, const std::set<std::string>& metric_ids);

}  // namespace kprof
