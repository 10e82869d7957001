// configs/rules/*.json -> RuleDef.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/strings.hpp"
#include "diagnosis/rule.hpp"

namespace kprof {

namespace {

const std::vector<std::string>& rule_fields() {
    static const std::vector<std::string> fields = {
        "id",       "step",      "leads",   "title",   "explains", "source",  "severity", "metric",  "unit",
        "op",       "threshold", "applies", "pass_if", "needs",    "fails",   "gain",     "matters", "sane",
        "min_gain", "evidence",  "note",    "no_gain", "advice",   "verdict", "try"};
    return fields;
}

std::string one_of(const JsonCursor& c, const std::vector<std::string>& allowed) {
    std::string text = c.string();
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
        c.fail("'" + text + "' is not allowed here", "one of: " + join(allowed, ", "));
    }
    return text;
}

double finite(const JsonCursor& c) {
    const double value = c.number();
    if (!std::isfinite(value)) c.fail("the number is not finite");
    return value;
}

// A number or a formula.
Formula number_or_formula(const JsonCursor& c) {
    if (c.raw().is_number()) return Formula(c.raw().dump(), c.path());
    return read_formula(c);
}

std::vector<AppliesDef> read_applies(const JsonCursor& c) {
    std::vector<AppliesDef> out;
    for (const JsonCursor& item : c.items()) {
        item.only({"if", "else"});
        out.push_back(AppliesDef{read_formula(item.at("if")), Text::read(item.at("else"))});
    }
    return out;
}

std::vector<PassIfDef> read_pass_if(const JsonCursor& c) {
    std::vector<PassIfDef> out;
    for (const JsonCursor& item : c.items()) {
        item.only({"metric", "op", "threshold", "unit", "why"});
        out.push_back(PassIfDef{item.at("metric").string(), one_of(item.at("op"), {"<", "<=", ">", ">="}),
                                item.string_or("unit", ""), number_or_formula(item.at("threshold")),
                                Text::read(item.at("why"))});
    }
    return out;
}

std::vector<EvidenceDef> read_evidence(const JsonCursor& c) {
    std::vector<EvidenceDef> out;
    for (const JsonCursor& item : c.items()) {
        item.only({"metric", "op", "threshold"});
        EvidenceDef e{item.at("metric").string(), "=", std::nullopt};
        if (item.has("op")) e.op = one_of(item.at("op"), {"<", "<=", ">", ">=", "="});
        if (item.has("threshold")) e.threshold = number_or_formula(item.at("threshold"));
        out.push_back(std::move(e));
    }
    return out;
}

GainDef read_gain(const JsonCursor& c) {
    c.only({"after", "or", "keeps_waits", "assumes"});
    GainDef out;
    if (c.has("after")) {
        const JsonCursor after = c.at("after");
        for (const std::string& key : after.keys()) {
            out.after.emplace_back(key, read_formulas(after.at(key)));
        }
    }
    if (c.has("or")) out.time_after = read_formulas(c.at("or"));
    out.keeps_waits = c.boolean_or("keeps_waits", false);
    out.assumes = Text::read(c.at("assumes"));
    if (out.after.empty() == out.time_after.empty()) {
        c.fail("a gain needs either 'after' or 'or'",
               "'after' gives resource times, 'or' the whole time that is left");
    }
    return out;
}

void read_texts(const JsonCursor& c, RuleDef& into) {
    const std::pair<const char*, Text*> texts[] = {{"note", &into.note},
                                                   {"no_gain", &into.no_gain},
                                                   {"advice", &into.advice},
                                                   {"verdict", &into.verdict},
                                                   {"try", &into.try_command}};
    for (const auto& [key, target] : texts) {
        if (c.has(key)) *target = Text::read(c.at(key));
    }
    const std::pair<const char*, std::string*> plain[] = {{"title", &into.title},
                                                          {"explains", &into.explains},
                                                          {"source", &into.source},
                                                          {"metric", &into.metric},
                                                          {"unit", &into.unit}};
    for (const auto& [key, target] : plain) {
        if (c.has(key)) *target = c.at(key).string();
    }
}

}  // namespace

void read_rule(const JsonCursor& c, RuleDef& into) {
    c.only(rule_fields());
    into.id = c.at("id").string();
    into.origin = c.origin();
    read_texts(c, into);
    if (c.has("step")) {
        const std::int64_t step = c.at("step").integer();
        if (step < 0 || step > 5) c.at("step").fail("a step is 1 to 5, or 0 for a rule beyond the five");
        into.step = static_cast<int>(step);
    }
    into.leads = c.boolean_or("leads", into.leads);
    if (c.has("severity")) into.severity = one_of(c.at("severity"), {"high", "medium", "low"});
    if (c.has("op")) into.op = one_of(c.at("op"), {"<", ">"});
    if (c.has("threshold")) {
        into.threshold = finite(c.at("threshold"));
        const std::string fault = threshold_fault(into.unit, into.threshold);
        if (!fault.empty()) c.at("threshold").fail(fault);
        into.threshold_origin = c.origin();
    }
    if (c.has("min_gain")) {
        into.min_gain = finite(c.at("min_gain"));
        if (*into.min_gain < 1) c.at("min_gain").fail("a gain is a factor of at least 1");
    }
    if (c.has("applies")) into.applies = read_applies(c.at("applies"));
    if (c.has("matters")) into.matters = read_applies(c.at("matters"));
    if (c.has("sane")) into.sane = read_applies(c.at("sane"));
    if (c.has("pass_if")) into.pass_if = read_pass_if(c.at("pass_if"));
    if (c.has("needs")) into.needs = c.at("needs").strings();
    if (c.has("fails")) into.fails = read_formula(c.at("fails"));
    if (c.has("gain")) into.gain = read_gain(c.at("gain"));
    if (c.has("evidence")) into.evidence = read_evidence(c.at("evidence"));
}

void check_complete(const RuleDef& rule) {
    const std::pair<const char*, bool> required[] = {
        {"step", rule.step >= 0},
        {"title", !rule.title.empty()},
        {"explains", !rule.explains.empty()},
        {"source", !rule.source.empty()},
        {"severity", !rule.severity.empty()},
        {"metric", !rule.metric.empty()},
        {"op", !rule.op.empty()},
        {"threshold", !rule.threshold_origin.empty()},
        {"fails", rule.fails.has_value()},
        {"gain", !rule.gain.after.empty() || !rule.gain.time_after.empty()},
        {"advice", !rule.advice.empty()},
        {"verdict", !rule.verdict.empty()},
    };
    for (const auto& [field, there] : required) {
        if (!there) {
            throw usage_error(rule.origin + ":1: rule '" + rule.id + "': field '" + field + "' is missing",
                              "the format of a rule file is described in configs/rules/tensor_cores.json");
        }
    }
}

const std::vector<std::string>& gain_floors() {
    static const std::vector<std::string> names = {"waits", "path"};
    return names;
}

std::string threshold_fault(const std::string& unit, double value) {
    struct Range {
        const char* unit;
        double least, most;
        const char* says;
    };
    static const Range ranges[] = {{"%", 0, 100, "a percentage is 0 to 100"},
                                   {"×", 1, 1e6, "a multiple of the minimum is 1 to 1e6"},
                                   {"cycles", 0, 1e6, "cycles per instruction are 0 to 1e6"}};
    for (const Range& r : ranges) {
        if (unit == r.unit && !(value >= r.least && value <= r.most)) {
            return fmt::format("the threshold {:g} has no meaning: {}", value, r.says);
        }
    }
    return value >= 0 ? std::string() : fmt::format("the threshold {:g} is below 0", value);
}

bool compare(double value, const std::string& op, double threshold) {
    if (op == "<") return value < threshold;
    if (op == "<=") return value <= threshold;
    if (op == ">") return value > threshold;
    if (op == ">=") return value >= threshold;
    return value == threshold;
}

std::string opposite(const std::string& op) {
    if (op == "<") return ">=";
    if (op == ">") return "<=";
    if (op == "<=") return ">";
    return "<";
}

}  // namespace kprof
