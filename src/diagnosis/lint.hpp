// Faults of rule and model files that a reader of one file cannot see: unknown names, rules that cannot fire,
// numbers without a source.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "diagnosis/diagnose.hpp"

namespace kprof {

// Every name that formulas and sentences of rules and model use.
std::set<std::string> names_used(const RuleSet& rules);

// Sentences like "rule 'coalescing': 'sectors_per_requst' is no metric and no fact"; empty when all is well.
// `metric_ids` are those of the catalogue; empty skips the check of metric names (facts are still told apart
// from derived names and resources).
std::vector<std::string> lint(const RuleSet& rules, const std::set<std::string>& metric_ids);

}  // namespace kprof
