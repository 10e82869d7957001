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

// The order of the tree; a rule beyond the five comes after them.
int step_order(int step);

// Findings by expected gain. One without an estimate stands before those that are less severe, or as severe
// and later in the tree: what is not known is not the least.
std::vector<Finding> sorted_findings(const std::vector<Outcome>& outcomes);

}  // namespace kprof
