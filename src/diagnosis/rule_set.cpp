#include "diagnosis/rule_set.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/strings.hpp"
#include "diagnosis/check.hpp"
#include "diagnosis/facts.hpp"
#include "diagnosis/lint.hpp"

namespace kprof {

namespace {

RuleDef& rule_of(std::vector<RuleDef>& rules, const std::string& id) {
    const auto found =
        std::find_if(rules.begin(), rules.end(), [&id](const RuleDef& r) { return r.id == id; });
    if (found != rules.end()) return *found;
    return rules.emplace_back();
}

void check_steps(const std::vector<RuleDef>& rules) {
    for (int step = 1; step <= 5; ++step) {
        const auto leads = std::count_if(rules.begin(), rules.end(),
                                         [step](const RuleDef& r) { return r.step == step && r.leads; });
        if (leads == 1) continue;
        const auto one = std::find_if(rules.begin(), rules.end(),
                                      [step](const RuleDef& r) { return r.step == step && r.leads; });
        throw usage_error((one == rules.end() ? std::string("rules") : one->origin) +
                              ":1: field 'step': step " + std::to_string(step) + " has " +
                              std::to_string(leads) + " leading rules",
                          "each of the five steps needs exactly one rule without \"leads\": false");
    }
}

int order_of(const RuleDef& r) {
    return r.step == 0 ? 6 : r.step;
}

std::vector<std::string> formula_texts(const std::vector<AppliesDef>& applies) {
    std::vector<std::string> out;
    out.reserve(applies.size());
    for (const AppliesDef& a : applies) out.push_back(a.when.text());
    return out;
}

}  // namespace

RuleSet::RuleSet() : impl_(std::make_unique<Impl>()) {}
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;
RuleSet::~RuleSet() = default;

RuleSet RuleSet::load(const ConfigStore& store) {
    RuleSet set;
    std::vector<RuleDef>& rules = set.impl_->rules;
    set.impl_->model = Model::load(store);
    std::vector<JsonDocument> documents;
    for (const std::string& path : store.list("rules")) {
        for (JsonDocument& document : store.layered(path)) {
            const JsonCursor root = document.root();
            read_rule(root, rule_of(rules, root.at("id").string()));
            documents.push_back(std::move(document));
        }
    }
    for (const RuleDef& rule : rules) check_complete(rule);
    check_steps(rules);
    std::sort(rules.begin(), rules.end(), [](const RuleDef& a, const RuleDef& b) {
        if (order_of(a) != order_of(b)) return order_of(a) < order_of(b);
        if (a.leads != b.leads) return a.leads;
        return a.id < b.id;
    });
    check_files(store, documents, set);
    return set;
}

std::vector<std::string> RuleSet::ids() const {
    std::vector<std::string> out;
    out.reserve(impl_->rules.size());
    for (const RuleDef& r : impl_->rules) out.push_back(r.id);
    return out;
}

const RuleDef* RuleSet::find(const std::string& id) const {
    const auto found = std::find_if(impl_->rules.begin(), impl_->rules.end(),
                                    [&id](const RuleDef& r) { return r.id == id; });
    return found == impl_->rules.end() ? nullptr : &*found;
}

void RuleSet::override_threshold(const std::string& assignment) {
    const std::string hint = "write RULE=NUMBER, for example tensor_cores=40";
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
        throw usage_error("threshold '" + assignment + "' has no '='", hint);
    }
    std::string id = trim(std::string_view(assignment).substr(0, equals));
    const std::string suffix = ".threshold";
    if (id.size() > suffix.size() && id.compare(id.size() - suffix.size(), suffix.size(), suffix) == 0) {
        id.resize(id.size() - suffix.size());
    }
    const std::string number = trim(std::string_view(assignment).substr(equals + 1));
    if (find(id) == nullptr) {
        throw usage_error("unknown rule '" + id + "'" + did_you_mean(id, ids()),
                          "the rules are: " + join(ids(), ", "));
    }
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(value)) {
        throw usage_error("threshold '" + assignment + "': '" + number + "' is no number", hint);
    }
    RuleDef& rule = rule_of(impl_->rules, id);
    const std::string fault = threshold_fault(rule.unit, value);
    if (!fault.empty()) throw usage_error("threshold '" + assignment + "': " + fault, hint);
    rule.threshold = value;
    rule.threshold_origin = "--threshold";
}

std::set<std::string> RuleSet::metrics_used() const {
    std::set<std::string> out;
    for (const std::string& name : names_used(*this)) {
        const bool local = impl_->model.find_derived(name) != nullptr ||
                           impl_->model.constants.count(name) > 0 || find_fact(name) != nullptr;
        if (!local || name == "flops" || name == "time") out.insert(name);
    }
    return out;
}

RuleText describe(const RuleSet& rules, const std::string& id) {
    const RuleDef* rule = rules.find(id);
    if (rule == nullptr) {
        throw usage_error("unknown rule '" + id + "'" + did_you_mean(id, rules.ids()),
                          "the rules are: " + join(rules.ids(), ", "));
    }
    RuleText out;
    out.id = rule->id;
    out.title = rule->title;
    out.explains = rule->explains;
    out.applies = join(formula_texts(rule->applies), " and ");
    out.fails = rule->fails->text();
    out.source = rule->source;
    out.advice = rule->advice.pattern();
    out.threshold = rule->threshold;
    out.unit = rule->unit;
    out.step = rule->step;
    out.leads = rule->leads;
    return out;
}

}  // namespace kprof
