#include "diagnosis/lint.hpp"

#include <algorithm>
#include <functional>

#include "core/strings.hpp"
#include "diagnosis/facts.hpp"
#include "diagnosis/rule_set.hpp"

namespace kprof {

namespace {

using Visit = std::function<void(const std::string& owner, const std::string& name)>;

void visit(const Visit& f, const std::string& owner, const std::vector<std::string>& names) {
    for (const std::string& name : names) f(owner, name);
}

void visit(const Visit& f, const std::string& owner, const std::vector<Formula>& formulas) {
    for (const Formula& formula : formulas) visit(f, owner, formula.names());
}

void visit_rule(const Visit& f, const RuleDef& r) {
    const std::string owner = "rule '" + r.id + "'";
    f(owner, r.metric);
    visit(f, owner, r.needs);
    visit(f, owner, r.fails->names());
    for (const std::vector<AppliesDef>* list : {&r.applies, &r.matters, &r.sane}) {
        for (const AppliesDef& a : *list) {
            visit(f, owner, a.when.names());
            visit(f, owner, a.otherwise.names());
        }
    }
    for (const PassIfDef& p : r.pass_if) {
        f(owner, p.metric);
        visit(f, owner, p.threshold.names());
        visit(f, owner, p.why.names());
    }
    for (const EvidenceDef& e : r.evidence) {
        f(owner, e.metric);
        if (e.threshold) visit(f, owner, e.threshold->names());
    }
    for (const auto& [name, formulas] : r.gain.after) visit(f, owner, formulas);
    visit(f, owner, r.gain.time_after);
    for (const Text* t : {&r.gain.assumes, &r.note, &r.no_gain, &r.advice, &r.verdict, &r.try_command}) {
        visit(f, owner, t->names());
    }
}

void visit_model(const Visit& f, const Model& m) {
    for (const ResourceDef& r : m.resources) {
        const std::string owner = "resource '" + r.id + "'";
        visit(f, owner, r.time);
        visit(f, owner, r.least);
        visit(f, owner, r.achievable);
        visit(f, owner, r.limit);
        if (r.ask_if) visit(f, owner, r.ask_if->names());
        if (r.idle_unless) visit(f, owner, r.idle_unless->names());
        visit(f, owner, r.at_limit.names());
    }
    for (const DerivedDef& d : m.derived) visit(f, "derived name '" + d.name + "'", d.formulas);
    for (const LibraryDef& l : m.library) visit(f, "library entry '" + l.precision + "'", l.time);
    for (const auto& [key, text] : m.texts) visit(f, "sentence '" + key + "'", text.names());
}

void visit_all(const Visit& f, const RuleSet& rules) {
    for (const RuleDef& r : rules.impl().rules) visit_rule(f, r);
    visit_model(f, rules.impl().model);
}

void check_source(const std::string& owner, const std::string& source, std::vector<std::string>& out) {
    if (trim(source).empty()) out.push_back(owner + " has no source");
}

}  // namespace

bool is_known_name(const std::string& name, const Model& m, const std::set<std::string>& metric_ids) {
    if (metric_ids.count(name) > 0 || m.constants.count(name) > 0 || m.find_derived(name) != nullptr) {
        return true;
    }
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return find_fact(name) != nullptr || metric_ids.empty();
    const std::string prefix = name.substr(0, dot);
    const std::string rest = name.substr(dot + 1);
    if (prefix == "t" || prefix == "share") return m.resource(rest) != nullptr;
    if (prefix == "limit") {
        const ResourceDef* resource = m.resource(rest);
        return resource != nullptr && !resource->limit.empty();
    }
    if (prefix == "library") {
        return rest == "suggested" || std::any_of(m.library.begin(), m.library.end(),
                                                  [&rest](const auto& l) { return l.precision == rest; });
    }
    return find_fact(name) != nullptr;
}

std::vector<std::string> name_list(const Model& model, const std::set<std::string>& metric_ids) {
    std::vector<std::string> out(metric_ids.begin(), metric_ids.end());
    for (const auto& [name, constant] : model.constants) out.push_back(name);
    for (const DerivedDef& d : model.derived) out.push_back(d.name);
    for (const FactInfo& f : fact_list()) {
        if (f.name.back() != '*') out.push_back(f.name);
    }
    for (const ResourceDef& r : model.resources) {
        out.push_back("share." + r.id);
        out.push_back("t." + r.id);
    }
    return out;
}

std::vector<std::string> reach_faults(const RuleDef& r) {
    std::vector<std::string> out;
    const std::string owner = "rule '" + r.id + "': ";
    const std::vector<std::string>& names = r.fails->names();
    if (std::find(names.begin(), names.end(), r.metric) == names.end()) {
        out.push_back(owner + "'fails' does not look at its metric " + r.metric);
    }
    if (std::find(names.begin(), names.end(), "threshold") == names.end()) {
        out.push_back(owner + "'fails' does not look at the threshold, so that overriding it does nothing");
    }
    return out;
}

std::set<std::string> names_used(const RuleSet& rules) {
    std::set<std::string> out;
    visit_all([&out](const std::string&, const std::string& name) { out.insert(name); }, rules);
    return out;
}

std::vector<std::string> lint(const RuleSet& rules, const std::set<std::string>& metric_ids) {
    std::vector<std::string> out;
    const Model& model = rules.impl().model;
    visit_all(
        [&](const std::string& owner, const std::string& name) {
            if (!is_known_name(name, model, metric_ids)) {
                out.push_back(owner + ": '" + name + "' is no metric and no fact" +
                              did_you_mean(name, name_list(model, metric_ids)));
            }
        },
        rules);
    for (const RuleDef& r : rules.impl().rules) {
        for (const std::string& fault : reach_faults(r)) out.push_back(fault);
        check_source("rule '" + r.id + "'", r.source, out);
    }
    for (const auto& [name, constant] : model.constants) {
        check_source("constant '" + name + "'", constant.source, out);
    }
    for (const ResourceDef& r : model.resources) check_source("resource '" + r.id + "'", r.source, out);
    for (const LibraryDef& l : model.library) {
        check_source("library entry '" + l.precision + "'", l.source, out);
    }
    for (const DerivedDef& d : model.derived) check_source("derived name '" + d.name + "'", d.source, out);
    return out;
}

}  // namespace kprof
