#include "diagnosis/check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/strings.hpp"
#include "diagnosis/facts.hpp"
#include "diagnosis/lint.hpp"
#include "diagnosis/rule_set.hpp"

namespace kprof {

namespace {

bool is_embedded(const JsonDocument& document) {
    return document.origin().rfind("embedded:", 0) == 0;
}

// Metric ids of all chips: a rule may be about a metric that only one of them has.
std::set<std::string> metric_ids(const ConfigStore& store) {
    std::set<std::string> out;
    for (const std::string& path : store.list("metrics")) {
        for (const JsonDocument& document : store.layered(path)) {
            const JsonCursor root = document.root();
            const Json& json = root.raw();
            if (!json.is_object() || !json.contains("metrics")) continue;
            for (const Json& metric : json["metrics"]) {
                if (metric.is_object() && metric.contains("id") && metric["id"].is_string()) {
                    out.insert(metric["id"].get<std::string>());
                }
            }
        }
    }
    return out;
}

class Checker {
  public:
    Checker(const Model& model, std::set<std::string> ids) : model_(model), ids_(std::move(ids)) {}

    void rule(const JsonCursor& c, const RuleDef& merged) const {
        if (c.has("metric")) name(c.at("metric"), merged.metric);
        each(c, "needs", [this](const JsonCursor& item) { name(item, item.string()); });
        for (const char* list : {"applies", "matters", "sane"}) {
            each(c, list, [this](const JsonCursor& item) {
                formulas(item, "if", true);
                texts(item, {"else"});
            });
        }
        each(c, "pass_if", [this](const JsonCursor& item) {
            name(item.at("metric"), item.at("metric").string());
            formulas(item, "threshold", false);
            texts(item, {"why"});
        });
        each(c, "evidence", [this](const JsonCursor& item) {
            name(item.at("metric"), item.at("metric").string());
            formulas(item, "threshold", false);
        });
        formulas(c, "fails", false);
        if (c.has("gain")) gain(c.at("gain"));
        texts(c, {"note", "no_gain", "advice", "verdict", "try"});
        sense(c, merged);
    }

    void bounds(const JsonCursor& c) const {
        each(c, "resources", [this](const JsonCursor& item) {
            formulas(item, "time", true);
            formulas(item, "least", true);
            formulas(item, "ask_if", true);
            formulas(item, "idle_unless", true);
            texts(item, {"at_limit"});
        });
        each(c, "derived", [this](const JsonCursor& item) { formulas(item, "formula", false); });
    }
    void library(const JsonCursor& c) const {
        each(c, "entries", [this](const JsonCursor& item) { formulas(item, "time", true); });
    }
    void verdicts(const JsonCursor& c) const { texts(c, c.keys()); }

  private:
    template <typename F>
    static void each(const JsonCursor& c, const char* key, F f) {
        if (!c.has(key)) return;
        for (const JsonCursor& item : c.at(key).items()) f(item);
    }

    void name(const JsonCursor& c, const std::string& name) const {
        if (!is_known_name(name, model_, ids_)) {
            c.fail("'" + name + "' is no metric and no fact" + did_you_mean(name, name_list(model_, ids_)),
                   "kprof list metrics shows the metrics that rules may use");
        }
    }
    void formula(const JsonCursor& c, bool needs_name) const {
        if (!c.raw().is_string()) return;
        const Formula f = read_formula(c);
        if (needs_name && f.names().empty()) {
            c.fail("'" + f.text() + "' is always the same", "name a metric or a fact in it");
        }
        for (const std::string& n : f.names()) {
            name(c, n);
            if (const FactInfo* fact = find_fact(n); fact != nullptr && fact->is_text) {
                c.fail("'" + n + "' is a text: it can stand in sentences, not in formulas");
            }
        }
    }
    void formulas(const JsonCursor& c, const std::string& key, bool needs_name) const {
        if (!c.has(key)) return;
        const JsonCursor at = c.at(key);
        if (!at.raw().is_array()) return formula(at, needs_name);
        for (const JsonCursor& item : at.items()) formula(item, needs_name);
    }
    void texts(const JsonCursor& c, const std::vector<std::string>& keys) const {
        for (const std::string& key : keys) {
            if (key.empty() || key.front() == '_' || !c.has(key)) continue;
            const JsonCursor at = c.at(key);
            for (const std::string& n : Text::read(at).names()) name(at, n);
        }
    }
    void gain(const JsonCursor& c) const {
        if (c.has("after")) {
            const JsonCursor after = c.at("after");
            for (const std::string& key : after.keys()) {
                std::vector<std::string> allowed = gain_floors();
                for (const ResourceDef& r : model_.resources) allowed.push_back(r.id);
                if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
                    after.at(key).fail("'" + key + "' is no resource" + did_you_mean(key, allowed),
                                       "one of: " + join(allowed, ", "));
                }
                formulas(after, key, false);
            }
        }
        if (c.has("or")) {
            formulas(c, "or", true);
        }
        texts(c, {"assumes"});
    }
    // A rule fires through its metric, on the side of the threshold that "op" says.
    static void sense(const JsonCursor& c, const RuleDef& r) {
        const JsonCursor at = c.has("fails") ? c.at("fails") : c.has("op") ? c.at("op") : c;
        for (const std::string& fault : reach_faults(r)) at.fail(fault);
        const auto fails_at = [&r](double value) {
            return r.fails->evaluate([&](const std::string& n) -> std::optional<double> {
                if (n == "threshold") return 50.0;
                if (n == r.metric) return value;
                return std::nullopt;
            });
        };
        const Formula::Result low = fails_at(1), high = fails_at(99);
        if (!low.value || !high.value) return;  // other names decide as well
        const bool below = *low.value != 0, above = *high.value != 0;
        if (below == above) at.fail(below ? "the rule always fails" : "the rule can never fail");
        if (below != (r.op == "<")) {
            at.fail("'op' says that the metric fails when it is " + r.op + " the threshold, but '" +
                        r.fails->text() + "' says the opposite",
                    "change both, or neither");
        }
    }

    const Model& model_;
    std::set<std::string> ids_;
};

}  // namespace

void check_files(const ConfigStore& store, const std::vector<JsonDocument>& documents, const RuleSet& rules) {
    using Check = void (Checker::*)(const JsonCursor&) const;
    const std::pair<const char*, Check> model_files[] = {{"model/bounds.json", &Checker::bounds},
                                                         {"model/library_gemm.json", &Checker::library},
                                                         {"model/verdicts.json", &Checker::verdicts}};
    const auto foreign = [&store](const std::string& path) {
        return store.origin_of(path).rfind("embedded:", 0) != 0;
    };
    const bool any =
        std::any_of(documents.begin(), documents.end(), [](const auto& d) { return !is_embedded(d); }) ||
        std::any_of(std::begin(model_files), std::end(model_files),
                    [&foreign](const auto& file) { return foreign(file.first); });
    if (!any) return;
    const Checker checker(rules.impl().model, metric_ids(store));
    for (const auto& [path, check] : model_files) {
        if (!foreign(path)) continue;
        for (const JsonDocument& document : store.layered(path)) {
            if (!is_embedded(document)) (checker.*check)(document.root());
        }
    }
    for (const JsonDocument& document : documents) {
        if (is_embedded(document)) continue;
        const JsonCursor root = document.root();
        checker.rule(root, *rules.find(root.at("id").string()));
    }
}

}  // namespace kprof
