// What diagnosis says: one verdict, five steps, findings in order of expected gain.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kprof {

struct Evidence {
    std::string metric;
    std::optional<double> value;
    std::string op;  // "<", ">", ">=", "="
    std::optional<double> threshold;
    std::string unit;
};

enum class StepState { pass, fail, not_applicable, not_measured };
const char* to_string(StepState s);

struct Step {
    int step = 0;  // 1..5
    std::string rule, title, state_note;
    StepState state = StepState::not_measured;
    std::optional<double> value;
    std::optional<double> threshold;
    std::string op;         // the wanted relation: "value op threshold" is a pass (">=" 30 %)
    std::string unit, why;  // why: the reason for not_applicable / not_measured, or what the number means
    std::string threshold_origin;  // "configs/rules/…", "--threshold", "user config"
};

struct Finding {
    std::string rule, severity;  // high | medium | low
    int step = 0;                // 0: not one of the five
    std::string title, verdict;  // verdict: the sentence used when this finding leads
    std::optional<double> gain;  // factor: time now / time after; empty when not estimated
    std::string gain_assumes;
    std::vector<Evidence> evidence;
    std::string advice;
    std::string try_command;  // a kprof command that shows the mended twin; may be empty
};

struct ResourceTime {
    std::string resource;  // dram, l2, l1, smem, tensor, fma, alu, fp64, xu, issue, launch
    std::optional<double> time_ns;
    std::string why_missing;
};

struct Diagnosis {
    std::string verdict;                  // one or two sentences
    std::string rule;                     // the leading finding's rule; "" at a limit or when nothing fails
    std::optional<std::string> at_limit;  // dram, l2, tensor, fma ...
    std::string status = "ok";  // ok | wrong_result | not_measured | above_roof | inconclusive | too_small
    std::vector<Step> steps;    // always five
    std::vector<Finding> findings;
    std::vector<ResourceTime> bound_model;
    std::vector<std::string> wanted;  // metric ids that open branches still need (the next stage)
    std::vector<std::string> notes;
};

}  // namespace kprof
