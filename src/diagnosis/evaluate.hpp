// One rule held against one kernel: applies? fails? would mending it move the bound?
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/bound.hpp"
#include "diagnosis/diagnosis.hpp"
#include "diagnosis/model.hpp"
#include "diagnosis/rule.hpp"
#include "diagnosis/values.hpp"

namespace kprof {

struct Outcome {
    const RuleDef* rule = nullptr;
    Step step;                        // what the step's line says if this rule speaks for it
    std::optional<Finding> finding;   // when it fails
    bool fails_threshold = false;     // the number alone says "fail", whatever the rest says
    std::size_t depth = 0;            // conditions that held before one did not
    std::vector<std::string> unseen;  // what keeps the finding's gain from being estimated
    std::string doubt;                // where the profile contradicts itself
    std::set<std::string> wanted;     // metrics that would decide what is still open
};

// `v` holds facts, bound model and derived names; the rule's own facts are set and taken away again.
Outcome evaluate_rule(const RuleDef& rule, const Model& model, const std::vector<Bound>& bounds, Values& v);

// The line of a step whose rule is not evaluated at all (a wrong result, a failure).
Step withheld_step(const RuleDef& rule, const Values& v, StepState state, const std::string& why);

// Metrics behind a name: itself, or the inputs of a derived name or a resource, as far as they are not
// measured and could still be.
void collect_wanted(const std::string& name, const Model& model, const Values& v, std::set<std::string>& out);

}  // namespace kprof
