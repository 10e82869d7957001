#include "metrics/catalogue_merge.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "core/strings.hpp"
#include "metrics/catalogue.hpp"

namespace kprof {

namespace {

const std::vector<std::string>& metric_fields() {
    static const std::vector<std::string> fields = {
        "id",           "title",       "unit",      "group", "description", "source", "formula",
        "alternatives", "unsupported", "undefined", "sane",  "max",         "clip"};
    return fields;
}

void merge_entry(const JsonCursor& c, MergedCatalogue& merged) {
    c.only(metric_fields());
    const std::string id = c.at("id").string();
    if (is_counter(id)) c.at("id").fail("a double underscore marks raw counters, a metric id has none");
    MergedMetric& metric = merged.metrics[id];
    if (metric.places.empty()) merged.order.push_back(id);
    // How a metric is computed is replaced as a whole: half of an old recipe would be a third metric.
    if (c.has("formula") || c.has("alternatives") || c.has("unsupported")) {
        for (const char* field : {"formula", "alternatives", "unsupported"}) metric.fields.erase(field);
    }
    for (const auto& key : c.keys()) {
        if (c.has(key)) metric.fields.insert_or_assign(key, c.at(key));
    }
    metric.places.push_back(c);
}

void merge_entries(const JsonCursor& root, MergedCatalogue& merged) {
    if (!root.has("metrics")) return;
    std::set<std::string> seen;
    for (const auto& item : root.at("metrics").items()) {
        const std::string id = item.at("id").string();
        if (!seen.insert(id).second) item.at("id").fail("metric '" + id + "' stands in this file twice");
        merge_entry(item, merged);
    }
}

void merge_file(const ConfigStore& store, const std::string& name, std::vector<std::string>& chain,
                MergedCatalogue& merged) {
    const auto& layers = merged.documents.emplace_back(store.layered(catalogue_path(name)));
    std::optional<JsonCursor> base;  // the uppermost layer that has one decides
    for (const auto& document : layers) {
        const JsonCursor root = document.root();
        root.only({"extends", "chips", "metrics"});
        if (root.has("extends")) base = root.at("extends");
    }
    chain.push_back(name);
    if (base) {
        const std::string parent = base->string();
        if (std::find(chain.begin(), chain.end(), parent) != chain.end()) {
            base->fail("'" + join(chain, "' extends '") + "' extends '" + parent + "': a cycle");
        }
        if (!store.exists(catalogue_path(parent))) base->fail("there is no " + catalogue_path(parent));
        merge_file(store, parent, chain, merged);
    }
    for (const auto& document : layers) merge_entries(document.root(), merged);
}

}  // namespace

std::string catalogue_path(const std::string& name) {
    return "metrics/" + name + ".json";
}

std::string catalogue_of_chip(const ConfigStore& store, const std::string& chip) {
    if (chip.empty()) return {};
    for (const auto& path : store.list("metrics")) {
        for (const auto& document : store.layered(path)) {
            const auto chips = document.root().strings_or_empty("chips");
            if (std::find(chips.begin(), chips.end(), chip) == chips.end()) continue;
            const auto slash = path.rfind('/') + 1;
            return path.substr(slash, path.rfind('.') - slash);
        }
    }
    return {};
}

MergedCatalogue merge_catalogue(const ConfigStore& store, const std::string& name) {
    MergedCatalogue merged;
    std::vector<std::string> chain;
    merge_file(store, name, chain, merged);
    return merged;
}

}  // namespace kprof
