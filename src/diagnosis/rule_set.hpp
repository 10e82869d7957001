// What stands behind RuleSet: the compiled rules and the bound model.
#pragma once

#include <vector>

#include "diagnosis/diagnose.hpp"
#include "diagnosis/model.hpp"
#include "diagnosis/rule.hpp"

namespace kprof {

struct RuleSet::Impl {
    std::vector<RuleDef> rules;  // by step (0 last), the leading rule of a step first, then by id
    Model model;
};

}  // namespace kprof
