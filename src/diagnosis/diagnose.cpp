#include "diagnosis/diagnose.hpp"

#include <algorithm>

#include "core/strings.hpp"
#include "diagnosis/bound.hpp"
#include "diagnosis/evaluate.hpp"
#include "diagnosis/facts.hpp"
#include "diagnosis/rule_set.hpp"
#include "diagnosis/steps.hpp"

namespace kprof {

const char* to_string(StepState s) {
    switch (s) {
        case StepState::pass:
            return "pass";
        case StepState::fail:
            return "fail";
        case StepState::not_applicable:
            return "not_applicable";
        case StepState::not_measured:
            return "not_measured";
    }
    return "not_measured";
}

namespace {

// What keeps a kernel from being judged at all, and the keys of what is then said.
struct Gate {
    const char* status;
    const char* verdict;
    const char* step;
    StepState state;
};

// A unit cannot work longer than the kernel runs: the first that would, as the doubt of the profile.
bool put_impossible_share(const std::vector<Bound>& bounds, const Model& model, Values& v) {
    const auto found = std::find_if(bounds.begin(), bounds.end(), [&model](const Bound& b) {
        return b.share && *b.share > model.constant("most_share");
    });
    if (found == bounds.end()) return false;
    put_fact(v, "resource", found->resource->title);
    put_fact(v, "resource_share", *found->share);
    put_fact(v, "doubt", model.say("impossible_share", v));
    return true;
}

std::optional<Gate> gate_of(const KernelProfile& p, const std::vector<Bound>& bounds, const Model& model,
                            Values& v) {
    if (!p.failure.empty()) return Gate{"not_measured", "failure", "step_failure", StepState::not_measured};
    if (p.verification.status == "wrong") {
        return Gate{"wrong_result", "wrong_result", "step_wrong", StepState::not_applicable};
    }
    const std::optional<double> time = v.number("time");
    if (time && (*time < model.constant("least_ns") || *time > model.constant("most_ns"))) {
        return Gate{"inconclusive", "bad_time", "step_bad_time", StepState::not_measured};
    }
    if (v.text("time_fault") != nullptr) {
        return Gate{"inconclusive", "bad_time", "step_bad_time", StepState::not_measured};
    }
    if (v.number("above_roof")) {
        return Gate{"above_roof", "above_roof", "step_above", StepState::not_measured};
    }
    if (put_impossible_share(bounds, model, v)) {
        return Gate{"inconclusive", "inconclusive", "step_impossible", StepState::not_measured};
    }
    // A kernel that keeps something busy works, however short it is.
    if (time && *time < model.constant("too_small_ns") &&
        v.number("busiest").value_or(0) < model.constant("idle")) {
        return Gate{"too_small", "too_small", "step_too_small", StepState::not_applicable};
    }
    return std::nullopt;
}

bool has_counters(const MetricSet& metrics) {
    return std::any_of(metrics.begin(), metrics.end(), [](const auto& entry) {
        const Measurement& m = entry.second;
        return m.ok() && (m.origin == Origin::counter || m.origin == Origin::imported) && m.id != "time";
    });
}

void want(const std::vector<Outcome>& outcomes, const std::vector<Bound>& bounds, const Model& model,
          const Values& v, Diagnosis& d) {
    std::set<std::string> names;
    for (const Outcome& o : outcomes) names.insert(o.wanted.begin(), o.wanted.end());
    for (const Bound& b : bounds) {
        if (b.time_ns) continue;
        if (b.resource->ask_if && v.evaluate(*b.resource->ask_if).value_or(0) == 0) continue;
        if (b.resource->idle_unless) {
            const Formula::Result busy = v.result(*b.resource->idle_unless);
            for (const std::string& name : busy.missing) collect_wanted(name, model, v, names);
            if (!busy.value || *busy.value == 0) continue;
        }
        for (const std::string& name : b.missing) collect_wanted(name, model, v, names);
    }
    d.wanted.assign(names.begin(), names.end());
}

void add_note(Diagnosis& d, const std::string& text) {
    if (!text.empty()) d.notes.push_back(text);
}

// What all of a kernel's rules together leave open, as facts for the sentences.
void put_open_steps(Diagnosis& d, const std::vector<Outcome>& outcomes, const Model& model, Values& v) {
    std::vector<std::string> open;
    for (const Step& s : d.steps) {
        if (s.state == StepState::not_measured) open.push_back(s.title);
    }
    put_fact(v, "open_count", static_cast<double>(open.size()));
    put_fact(v, "open_steps", join(open, ", "));
    put_fact(v, "none_lead", model.say("none_lead", v));
    for (const Outcome& o : outcomes) {
        if (o.doubt.empty()) continue;
        put_fact(v, "doubt", o.doubt);
        return;
    }
}

// A finding whose gain is open because bounds were not seen may lead only if nothing before it in the tree is
// open as well: that could be the cause.
bool may_lead(const Finding& f, const std::vector<Outcome>& outcomes, const Diagnosis& d) {
    const bool unproven = !f.gain && std::any_of(outcomes.begin(), outcomes.end(), [&f](const Outcome& o) {
        return o.rule->id == f.rule && !o.unseen.empty();
    });
    return !unproven || std::none_of(d.steps.begin(), d.steps.end(), [&f](const Step& s) {
        return s.state == StepState::not_measured && s.step < step_order(f.step);
    });
}

// "the L2 cache, the L1 cache and 3 more".
std::string first_of(std::vector<std::string> parts, std::size_t count) {
    if (parts.size() <= count + 1) return join(parts, ", ");
    const std::size_t more = parts.size() - count;
    parts.resize(count);
    return join(parts, ", ") + " and " + std::to_string(more) + " more";
}

void note_open_gains(Diagnosis& d, const std::vector<Outcome>& outcomes, const Model& model, Values& v) {
    for (const Outcome& o : outcomes) {
        if (!o.finding || o.finding->gain || o.unseen.empty()) continue;
        put_fact(v, "finding", o.finding->title);
        put_fact(v, "unseen", first_of(o.unseen, 3));
        add_note(d, model.say("note_gain_open", v));
    }
}

void conclude(Diagnosis& d, const std::vector<Outcome>& outcomes, const std::vector<Bound>& bounds,
              const Model& model, Values& v) {
    put_open_steps(d, outcomes, model, v);
    note_open_gains(d, outcomes, model, v);
    if (!d.findings.empty() && may_lead(d.findings.front(), outcomes, d)) {
        d.rule = d.findings.front().rule;
        d.verdict = d.findings.front().verdict;
        if (d.findings.size() > 1) add_note(d, model.say("note_findings", v));
        return;
    }
    const Bound* limit = d.findings.empty() && v.text("doubt") == nullptr ? limit_of(bounds) : nullptr;
    if (limit != nullptr) {
        d.at_limit = limit->resource->id;
        d.verdict = limit->resource->at_limit.render(v);
        add_note(d, model.say("note_beyond_limit", v));
        return;
    }
    const auto open = std::count_if(d.steps.begin(), d.steps.end(),
                                    [](const Step& s) { return s.state == StepState::not_measured; });
    const bool most_open = 2 * open > static_cast<std::ptrdiff_t>(d.steps.size());
    if (!d.findings.empty() || v.text("doubt") != nullptr || most_open || !v.number("busiest")) {
        d.status = "inconclusive";
    }
    d.verdict = model.say(d.status == "ok" ? "none" : "inconclusive", v);
}

// Nothing but the kernel's definition and perhaps its time: the roofline is all that can be said.
void conclude_without_counters(Diagnosis& d, const DiagnosisInput& input, const RuleSet& rules,
                               const Values& v) {
    const Model& model = rules.impl().model;
    const bool modelled = input.profile.provenance.kind == "model";
    d.status = modelled ? "ok" : "not_measured";
    d.steps = withheld_steps(rules, v, StepState::not_measured, model.say("step_no_counter", v));
    d.verdict = model.say(modelled ? "model" : "no_counters", v);
    if (modelled) d.wanted.clear();
}

}  // namespace

Diagnosis diagnose(const DiagnosisInput& input, const RuleSet& rules) {
    const Model& model = rules.impl().model;
    Diagnosis d;
    Values v(input.metrics);
    put_facts(v, input, model);
    put_library_times(v, model);
    const std::vector<Bound> bounds = apply_bound_model(v, model);
    d.bound_model = resource_times(bounds);

    if (const std::optional<Gate> gate = gate_of(input.profile, bounds, model, v)) {
        d.status = gate->status;
        d.verdict = model.say(gate->verdict, v);
        d.steps = withheld_steps(rules, v, gate->state, model.say(gate->step, v));
        return d;
    }
    std::vector<Outcome> outcomes;
    outcomes.reserve(rules.impl().rules.size());
    for (const RuleDef& rule : rules.impl().rules) {
        outcomes.push_back(evaluate_rule(rule, model, bounds, v));
    }
    want(outcomes, bounds, model, v, d);
    if (!has_counters(input.metrics)) {
        conclude_without_counters(d, input, rules, v);
        return d;
    }
    d.steps = combine_steps(outcomes);
    d.findings = sorted_findings(outcomes);
    conclude(d, outcomes, bounds, model, v);
    add_note(d, model.say("note_clock", v));
    add_note(d, model.say("note_bytes", v));
    add_note(d, model.say("note_unseen_bound", v));
    return d;
}

}  // namespace kprof
