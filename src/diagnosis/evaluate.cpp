#include "diagnosis/evaluate.hpp"

#include <algorithm>

#include "core/strings.hpp"
#include "diagnosis/facts.hpp"

namespace kprof {

namespace {

// nullopt: an input is missing.
std::optional<bool> holds(const Formula& f, const Values& v) {
    const std::optional<double> value = v.evaluate(f);
    if (!value) return std::nullopt;
    return *value != 0;
}

void want_inputs(const Formula& f, const Model& model, const Values& v, std::set<std::string>& out) {
    for (const std::string& name : v.result(f).missing) collect_wanted(name, model, v, out);
}

// "sectors_per_request: not collected" for a step that cannot be decided.
std::string why_missing(const std::string& name, const Values& v) {
    const Measurement* m = v.metric(name);
    // Which counters that takes, the metric itself tells.
    if (m == nullptr || m->status == Status::not_collected) return name + " was not collected";
    if (m->reason.empty()) return name + ": " + to_string(m->status);
    return name + ": " + m->reason;
}

// The metrics behind a derived name, which a reader does not know.
std::string what_keeps_open(const std::string& name, const Model& model, const Values& v) {
    std::set<std::string> metrics;
    collect_wanted(name, model, v, metrics);
    if (metrics.empty()) return "needs " + name + " to be judged";
    const std::vector<std::string> names(metrics.begin(), metrics.end());
    return join(names, ", ") + (names.size() == 1 ? " was" : " were") + " not collected";
}

enum class Applies { yes, no, open };

struct AppliesResult {
    Applies state = Applies::yes;
    std::string why;
    std::string missing;    // the first name that keeps it open
    std::size_t depth = 0;  // conditions that held before
};

// Every condition is looked at: one that is false settles it, whatever is still missing of the others.
AppliesResult check(const std::vector<AppliesDef>& conditions, const RuleDef& rule, const Model& model,
                    const Values& v, std::set<std::string>& wanted) {
    AppliesResult out;
    std::set<std::string> open;
    for (const AppliesDef& condition : conditions) {
        const Formula::Result r = v.result(condition.when);
        if (!r.value) {
            out.state = Applies::open;
            if (out.missing.empty()) out.missing = r.missing.empty() ? rule.metric : r.missing.front();
            want_inputs(condition.when, model, v, open);
            continue;
        }
        if (*r.value == 0) return AppliesResult{Applies::no, condition.otherwise.render(v), {}, out.depth};
        ++out.depth;
    }
    wanted.insert(open.begin(), open.end());
    return out;
}

// Whether a cheaper number says that the step passes; what it would need goes to `wanted`.
bool passes_early(const RuleDef& rule, const Model& model, const Values& v, Step& step,
                  std::set<std::string>& wanted) {
    for (const PassIfDef& p : rule.pass_if) {
        const std::optional<double> value = v.number(p.metric);
        const std::optional<double> threshold = v.evaluate(p.threshold);
        if (!value || !threshold) {
            collect_wanted(p.metric, model, v, wanted);
            want_inputs(p.threshold, model, v, wanted);
            continue;
        }
        if (!compare(*value, p.op, *threshold)) continue;
        step.state = StepState::pass;
        step.value = value;
        step.threshold = threshold;
        step.op = p.op;
        step.unit = p.unit;
        step.why = p.why.render(v);
        return true;
    }
    return false;
}

std::vector<Evidence> evidence_of(const RuleDef& rule, const Values& v) {
    std::vector<Evidence> out;
    for (const EvidenceDef& e : rule.evidence) {
        const std::optional<double> value = v.number(e.metric);
        if (!value) continue;
        Evidence line{e.metric, value, e.op, std::nullopt, v.unit(e.metric)};
        if (e.threshold) {
            line.threshold = v.evaluate(*e.threshold);
            // Evidence that speaks against the finding is not evidence.
            if (!line.threshold || !compare(*value, e.op, *line.threshold)) continue;
        }
        out.push_back(std::move(line));
    }
    return out;
}

std::string severity_of(const RuleDef& rule, const Model& model, std::optional<double> gain) {
    if (!gain) return rule.severity;
    if (*gain >= model.constant("severity_high")) return "high";
    if (*gain >= model.constant("severity_medium")) return "medium";
    return "low";
}

Finding make_finding(const RuleDef& rule, const Model& model, const Values& v,
                     const std::optional<GainEstimate>& estimate) {
    Finding f;
    f.rule = rule.id;
    f.step = rule.step;
    f.title = rule.title;
    if (estimate) f.gain = estimate->gain;
    f.severity = severity_of(rule, model, f.gain);
    if (estimate) f.gain_assumes = rule.gain.assumes.render(v);
    if (estimate && estimate->measured_roof) {
        f.gain_assumes += (f.gain_assumes.empty() ? "" : "; ") + model.say("assumes_measured", v);
    }
    f.evidence = evidence_of(rule, v);
    f.verdict = rule.verdict.render(v);
    f.advice = rule.advice.render(v);
    f.try_command = rule.try_command.render(v);
    const std::string* own = v.text("own_command");
    if (own != nullptr && f.try_command == *own) f.try_command.clear();
    return f;
}

void forget_gain(Values& v) {
    for (const char* name : {"gain", "time_after", "next_bound"}) v.erase(name);
}

// Facts of one rule's evaluation, gone when it ends.
class RuleFacts {
  public:
    RuleFacts(Values& v, const RuleDef& rule) : v_(v) { v_.set("threshold", rule.threshold, rule.unit); }
    ~RuleFacts() {
        v_.erase("threshold");
        forget_gain(v_);
    }
    RuleFacts(const RuleFacts&) = delete;
    RuleFacts& operator=(const RuleFacts&) = delete;

  private:
    Values& v_;
};

// The number fails: does it matter?
void weigh(const RuleDef& rule, const Model& model, const std::vector<Bound>& bounds, Values& v,
           Outcome& out) {
    for (const std::string& name : rule.needs) collect_wanted(name, model, v, out.wanted);
    GainOutcome gain = estimate_gain(rule.gain, bounds, v);
    if (gain.estimate) {
        put_fact(v, "gain", gain.estimate->gain);
        put_fact(v, "time_after", gain.estimate->time_after);
        put_fact(v, "next_bound", gain.estimate->next_bound);
        const double least = std::max(model.constant("min_gain"), rule.min_gain.value_or(1));
        if (gain.estimate->gain < least) {
            out.step.state = StepState::not_applicable;
            out.step.why = rule.no_gain.render(v);
            if (out.step.why.empty()) out.step.why = model.say("no_gain", v);
            return;
        }
    }
    if (!gain.unseen.empty()) {
        for (const std::string& name : gain.missing) collect_wanted(name, model, v, out.wanted);
        out.unseen = std::move(gain.unseen);
        gain.estimate.reset();
        forget_gain(v);
    }
    out.step.state = StepState::fail;
    out.step.why = rule.note.render(v);
    out.finding = make_finding(rule, model, v, gain.estimate);
}

// The first condition of "sane" that is known to be broken, as a sentence.
std::string find_doubt(const RuleDef& rule, const Values& v) {
    for (const AppliesDef& condition : rule.sane) {
        if (!holds(condition.when, v).value_or(true)) return condition.otherwise.render(v);
    }
    return {};
}

Outcome not_applicable(Outcome out, const std::string& why) {
    out.step.state = StepState::not_applicable;
    out.step.why = why;
    return out;
}

}  // namespace

void collect_wanted(const std::string& name, const Model& model, const Values& v,
                    std::set<std::string>& out) {
    if (v.number(name)) return;
    if (const DerivedDef* derived = model.find_derived(name)) {
        for (const std::string& input : derived->formulas.front().names()) {
            collect_wanted(input, model, v, out);
        }
        return;
    }
    const std::size_t dot = name.find('.');
    const std::string prefix = name.substr(0, dot);
    if (dot != std::string::npos && (prefix == "t" || prefix == "share")) {
        if (const ResourceDef* r = model.resource(name.substr(dot + 1))) {
            for (const std::string& input : r->time.front().names()) collect_wanted(input, model, v, out);
        }
        return;
    }
    const Measurement* m = v.metric(name);
    // Facts and constants are there or not: no counter gives them.
    if (m == nullptr && (find_fact(name) != nullptr || model.constants.count(name) > 0)) return;
    if (m != nullptr && m->status != Status::not_collected) return;
    out.insert(name);
}

Step withheld_step(const RuleDef& rule, const Values& v, StepState state, const std::string& why) {
    Step step;
    step.step = rule.step;
    step.rule = rule.id;
    step.title = rule.title;
    step.state = state;
    step.value = v.number(rule.metric);
    step.threshold = rule.threshold;
    step.op = opposite(rule.op);
    step.unit = rule.unit;
    step.why = why;
    step.threshold_origin = rule.threshold_origin;
    return step;
}

Outcome evaluate_rule(const RuleDef& rule, const Model& model, const std::vector<Bound>& bounds, Values& v) {
    const RuleFacts facts(v, rule);
    Outcome out;
    out.rule = &rule;
    out.step = withheld_step(rule, v, StepState::not_measured, {});
    if (std::string doubt = find_doubt(rule, v); !doubt.empty()) {
        out.step.why = doubt;
        out.doubt = std::move(doubt);
        return out;
    }
    const std::optional<bool> failed = holds(*rule.fails, v);
    out.fails_threshold = failed.value_or(false);
    // First of all whether the step applies: the state must not hang on which further counters are there.
    std::set<std::string> open;
    const AppliesResult applies = check(rule.applies, rule, model, v, open);
    out.depth = applies.depth;
    if (applies.state == Applies::no) return not_applicable(std::move(out), applies.why);
    out.wanted = open;
    if (failed && !*failed) {
        out.step = withheld_step(rule, v, StepState::pass, rule.note.render(v));
        return out;
    }
    if (!failed) {
        // Only where the number itself is missing may a cheaper one decide.
        std::set<std::string> early;
        if (passes_early(rule, model, v, out.step, early)) return out;
        // The cheaper number first: it may make the other one needless.
        out.wanted.insert(early.begin(), early.end());
        if (early.empty()) want_inputs(*rule.fails, model, v, out.wanted);
        out.step.why = why_missing(rule.metric, v);
        return out;
    }
    const AppliesResult matters = check(rule.matters, rule, model, v, out.wanted);
    out.depth += matters.depth;
    if (matters.state == Applies::no) {
        out.wanted.clear();
        return not_applicable(std::move(out), matters.why);
    }
    for (const AppliesResult& r : {applies, matters}) {
        if (r.state != Applies::open) continue;
        out.step.why = what_keeps_open(r.missing, model, v);
        // The number fails: what the gain wants is asked for together with what decides whether it matters.
        if (applies.state == Applies::yes) {
            for (const std::string& name : rule.needs) collect_wanted(name, model, v, out.wanted);
        }
        return out;
    }
    weigh(rule, model, bounds, v, out);
    return out;
}

}  // namespace kprof
