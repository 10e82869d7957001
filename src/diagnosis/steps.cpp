#include "diagnosis/steps.hpp"

#include <algorithm>

namespace kprof {

namespace {

// Which of two outcomes of one step speaks: fail, then pass, then what could not be decided, then not
// applicable.
int weight(StepState s) {
    switch (s) {
        case StepState::fail:
            return 3;
        case StepState::pass:
            return 2;
        case StepState::not_measured:
            return 1;
        case StepState::not_applicable:
            return 0;
    }
    return 0;
}

int severity_rank(const std::string& severity) {
    return severity == "high" ? 0 : severity == "medium" ? 1 : 2;
}

Step merge(const std::vector<const Outcome*>& of_step) {
    const Outcome& lead = *of_step.front();
    const Outcome* speaks = &lead;
    for (const Outcome* o : of_step) {
        if (o == speaks) continue;
        const int there = weight(o->step.state);
        const int here = weight(speaks->step.state);
        // Of two that do not apply, the one that came further knows better why.
        const bool further = o->step.state == StepState::not_applicable &&
                             speaks->step.state == StepState::not_applicable && o->depth > speaks->depth;
        const bool lead_silent = speaks->step.state == StepState::not_applicable;
        if (further || ((o->step.state == StepState::fail || lead_silent) && there > here)) speaks = o;
    }
    Step out = speaks->step;
    out.rule = lead.rule->id;
    out.title = lead.rule->title;
    for (const Outcome* o : of_step) {
        if (out.why.empty() && o->fails_threshold) out.why = o->step.why;
    }
    // The leading rule's threshold is the step's, as long as the number fails it.
    if (speaks != &lead && lead.fails_threshold) {
        out.threshold = lead.step.threshold;
        out.threshold_origin = lead.step.threshold_origin;
    }
    return out;
}

}  // namespace

int step_order(int step) {
    return step == 0 ? 6 : step;
}

std::vector<Step> combine_steps(const std::vector<Outcome>& outcomes) {
    std::vector<Step> out;
    for (int step = 1; step <= 5; ++step) {
        std::vector<const Outcome*> of_step;
        for (const Outcome& o : outcomes) {
            if (o.rule->step == step) of_step.push_back(&o);
        }
        if (!of_step.empty()) out.push_back(merge(of_step));
    }
    return out;
}

std::vector<Step> withheld_steps(const RuleSet& rules, const Values& v, StepState state,
                                 const std::string& why) {
    std::vector<Step> out;
    for (const RuleDef& r : rules.impl().rules) {
        if (r.step > 0 && r.leads) out.push_back(withheld_step(r, v, state, why));
    }
    return out;
}

std::vector<Finding> sorted_findings(const std::vector<Outcome>& outcomes) {
    std::vector<Finding> out;
    for (const Outcome& o : outcomes) {
        if (o.finding && o.finding->gain) out.push_back(*o.finding);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Finding& a, const Finding& b) { return *a.gain > *b.gain; });
    for (const Outcome& o : outcomes) {
        if (!o.finding || o.finding->gain) continue;
        const auto place = std::find_if(out.begin(), out.end(), [&o](const Finding& f) {
            const int there = severity_rank(f.severity), here = severity_rank(o.finding->severity);
            return there > here || (there == here && step_order(f.step) > step_order(o.finding->step));
        });
        out.insert(place, *o.finding);
    }
    return out;
}

}  // namespace kprof
