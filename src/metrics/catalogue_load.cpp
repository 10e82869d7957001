// Catalogue::load(): merged config entries -> metric definitions, checked as a whole. Every error names the
// file, line and field that it comes from.
#include <algorithm>
#include <optional>

#include "core/strings.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/catalogue_merge.hpp"

namespace kprof {

namespace {

constexpr double percent_max = 102;  // counters of different passes are a percent or two apart

// The names of one formula with its place in the file, kept until all metrics are known.
struct Use {
    std::string metric;
    std::vector<std::string> names;
    JsonCursor place;
    bool own_value;  // a `sane` formula: the metric's own id is its value, not a fact
};

class Builder {
  public:
    explicit Builder(const MergedCatalogue& merged) : merged_(merged) {}

    std::map<std::string, MetricDef> build() {
        std::map<std::string, MetricDef> metrics;
        for (const auto& id : merged_.order) metrics.emplace(id, read(id, merged_.metrics.at(id)));
        for (const auto& use : uses_) check_names(use, metrics);
        std::map<std::string, int> state;
        for (const auto& id : merged_.order) {
            std::vector<std::string> path;
            check_cycles(id, path, state);
        }
        return metrics;
    }

  private:
    Formula read_formula(const std::string& metric, const JsonCursor& c, bool own_value = false) {
        const std::string text = c.string();
        try {
            Formula formula(text, "");
            uses_.push_back({metric, formula.names(), c, own_value});
            return formula;
        } catch (const Error& e) {
            c.fail(e.what(), e.hint());
        }
    }

    MetricAlternative read_alternative(const std::string& metric, const JsonCursor& c) {
        c.only({"formula", "when", "because", "origin", "collect"});
        MetricAlternative alternative{read_formula(metric, c.at("formula")), std::nullopt, {}, std::nullopt};
        if (c.has("when")) alternative.when = read_formula(metric, c.at("when"));
        alternative.because = c.string_or("because", "");
        alternative.collect = c.boolean_or("collect", false);
        if (c.has("origin")) alternative.origin = origin_from(c.at("origin").string());
        return alternative;
    }

    std::vector<MetricCondition> read_conditions(const std::string& metric, const MergedMetric& merged,
                                                 const std::string& field, bool own_value) {
        std::vector<MetricCondition> conditions;
        const auto list = merged.fields.find(field);
        if (list == merged.fields.end()) return conditions;
        for (const auto& item : list->second.items()) {
            item.only({"formula", "because"});
            conditions.push_back(
                {read_formula(metric, item.at("formula"), own_value), item.at("because").string()});
        }
        return conditions;
    }

    void read_recipe(MetricDef& def, const MergedMetric& merged) {
        const auto field = [&](const char* name) {
            const auto it = merged.fields.find(name);
            return it == merged.fields.end() ? nullptr : &it->second;
        };
        if (const JsonCursor* unsupported = field("unsupported"))
            def.unsupported_because = unsupported->string();
        if (const JsonCursor* formula = field("formula")) {
            def.alternatives.push_back({read_formula(def.id, *formula), std::nullopt, {}, std::nullopt});
        }
        if (const JsonCursor* list = field("alternatives")) {
            for (const auto& item : list->items()) {
                def.alternatives.push_back(read_alternative(def.id, item));
                if (def.alternatives.size() > 1 && def.alternatives.back().because.empty()) {
                    item.fail("an alternative after the first says in 'because' what makes it weaker");
                }
            }
        }
        if (def.alternatives.empty() == def.unsupported_because.empty()) {
            merged.places.back().fail(
                "a metric has 'formula' or 'alternatives', or says in 'unsupported' why this chip cannot "
                "give it");
        }
    }

    MetricDef read(const std::string& id, const MergedMetric& merged) {
        const auto text = [&](const char* name) {
            const auto it = merged.fields.find(name);
            if (it == merged.fields.end()) {
                merged.places.back().fail("metric '" + id + "' has no '" + name + "'");
            }
            return it->second.string();
        };
        MetricDef def;
        def.id = id;
        def.title = text("title");
        def.unit = text("unit");
        def.group = text("group");
        def.description = text("description");
        def.source = text("source");
        read_recipe(def, merged);
        def.undefined = read_conditions(id, merged, "undefined", false);
        def.sane = read_conditions(id, merged, "sane", true);
        if (def.unit == "%") def.max = percent_max;
        const auto max = merged.fields.find("max");
        if (max != merged.fields.end()) def.max = max->second.number();
        const auto clip = merged.fields.find("clip");
        if (clip != merged.fields.end()) def.clip = clip->second.number();
        return def;
    }

    static bool is_fact(const std::string& name) {
        return std::binary_search(fact_names().begin(), fact_names().end(), name);
    }

    void check_names(const Use& use, const std::map<std::string, MetricDef>& metrics) const {
        for (const auto& name : use.names) {
            if (is_counter(name) || is_fact(name)) continue;
            if (name == use.metric) {
                if (use.own_value) continue;
                use.place.fail("metric '" + name + "' depends on itself");
            }
            if (metrics.count(name) > 0) continue;
            std::vector<std::string> known = fact_names();
            known.insert(known.end(), merged_.order.begin(), merged_.order.end());
            use.place.fail("'" + name + "' is neither a metric nor a fact nor a raw counter" +
                           did_you_mean(name, known));
        }
    }

    void check_cycles(const std::string& id, std::vector<std::string>& path,
                      std::map<std::string, int>& state) const {
        constexpr int done = 2, open = 1;
        if (state[id] == done) return;
        state[id] = open;
        path.push_back(id);
        for (const auto& use : uses_) {
            if (use.metric != id) continue;
            for (const auto& name : use.names) {
                if (name == id || merged_.metrics.count(name) == 0) continue;
                if (state[name] == open) {
                    use.place.fail("metrics depend on each other in a cycle: " + join(path, " -> ") + " -> " +
                                   name);
                }
                check_cycles(name, path, state);
            }
        }
        path.pop_back();
        state[id] = done;
    }

    const MergedCatalogue& merged_;
    std::vector<Use> uses_;
};

// The file that serves a vendor without a chip of its own: the vendor's, else what all have in common.
std::string vendor_file(const ConfigStore& store, const std::string& vendor) {
    const std::string name = lower(vendor);
    return !name.empty() && store.exists(catalogue_path(name)) ? name : "common";
}

}  // namespace

Catalogue Catalogue::load(const ConfigStore& store, const std::string& vendor, const std::string& chip) {
    Catalogue catalogue;
    std::string file = catalogue_of_chip(store, chip);
    if (file.empty()) {
        file = vendor_file(store, vendor);
        catalogue.note_ = (chip.empty() ? "the chip is not known" : "no catalogue for chip '" + chip + "'") +
                          std::string(": metrics of ") + catalogue_path(file);
    }
    const MergedCatalogue merged = merge_catalogue(store, file);
    catalogue.order_ = merged.order;
    catalogue.metrics_ = Builder(merged).build();
    return catalogue;
}

}  // namespace kprof
