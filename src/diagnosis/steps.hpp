// The five lines of the tree, and the findings in order.
#pragma once

#include <vector>

#include "diagnosis/evaluate.hpp"
#include "diagnosis/rule_set.hpp"

namespace kprof {

// One line a step. Where a step has two rules (an idle and a starved tensor pipe), a failing one speaks; the
// step keeps the name of its leading rule.
std::vector<Step> combine_steps(const std::vector<Outcome>& outcomes);

// The five lines when nothing is judged.
std::vector<Step> withheld_steps(const RuleSet& rules, const Values& v, StepState state,
                                 const std::string& why);

// Findings by expected gain, those without an estimate last.
std::vector<Finding> sorted_findings(const std::vector<Outcome>& outcomes);

}  // namespace kprof
