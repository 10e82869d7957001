// One rule of configs/rules, ready to be evaluated. The file format is described at the head of
// configs/rules/tensor_cores.json.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/text.hpp"
#include "metrics/formula.hpp"

namespace kprof {

// One condition of "applies": while it is false, the step is not applicable for the reason `otherwise`.
struct AppliesDef {
    Formula when;
    Text otherwise;
};

// A cheaper number that already decides "pass": when `metric op threshold` holds, the rule's own metric need
// not be measured.
struct PassIfDef {
    std::string metric, op, unit;
    Formula threshold;
    Text why;
};

struct EvidenceDef {
    std::string metric, op;
    std::optional<Formula> threshold;
};

struct GainDef {
    // Resource id, or "waits" and such: a floor of its own in ns. First alternative with all inputs counts;
    // without any the resource stays as it is.
    std::vector<std::pair<std::string, std::vector<Formula>>> after;
    std::vector<Formula> time_after;  // field "or": the time left, in ns, instead of a bound model
    // The waiting beyond the busiest resource stays in proportion (a fix that only scales one resource).
    bool keeps_waits = false;
    Text assumes;
};

struct RuleDef {
    std::string id, title, explains, source, severity;
    std::string metric, unit;
    std::string op;  // how the metric fails against the threshold: "<" or ">"
    std::string origin;
    std::string threshold_origin;
    int step = 0;          // 0: not one of the five
    bool leads = true;     // of two rules of one step, the one that gives the step its name
    double threshold = 0;  // in `unit`
    std::optional<double> min_gain;
    std::vector<AppliesDef> applies;
    // Asked only once the number fails: while one is false, mending it would not move the bound.
    std::vector<AppliesDef> matters;
    // What no honest profile breaks; one that is false makes the step not measured.
    std::vector<AppliesDef> sane;
    std::vector<PassIfDef> pass_if;
    std::vector<std::string> needs;
    std::optional<Formula> fails;
    GainDef gain;
    std::vector<EvidenceDef> evidence;
    Text note, no_gain, advice, verdict, try_command;
};

// Sets those fields of `into` that the file has (an upper layer may say only {"id", "threshold"}). Unknown
// keys and wrong types are errors that name file, line and field.
void read_rule(const JsonCursor& c, RuleDef& into);
// After all layers: the fields that no rule can do without.
void check_complete(const RuleDef& rule);

// Names beside resources that "after" of a gain may give a time: floors of their own.
const std::vector<std::string>& gain_floors();
// What is wrong with a threshold in this unit; empty: nothing.
std::string threshold_fault(const std::string& unit, double value);

bool compare(double value, const std::string& op, double threshold);
// The wanted relation of a failing one: "<" -> ">=".
std::string opposite(const std::string& op);

}  // namespace kprof
