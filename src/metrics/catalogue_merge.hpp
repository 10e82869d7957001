// The files of a metric catalogue laid over each other: layers of one file, then its `extends` chain.
// Internal to Catalogue::load().
#pragma once

#include <list>
#include <map>
#include <string>
#include <vector>

#include "core/config_store.hpp"

namespace kprof {

// One metric as merged so far: where each of its fields stands, and where it was last opened.
struct MergedMetric {
    std::map<std::string, JsonCursor> fields;
    std::vector<JsonCursor> places;  // every entry of this id, lowest first
};

struct MergedCatalogue {
    std::list<std::vector<JsonDocument>> documents;  // the cursors point into them
    std::map<std::string, MergedMetric> metrics;
    std::vector<std::string> order;  // of first appearance, the base of the chain first
};

// The catalogue file of a name ("gh100"): "metrics/gh100.json".
std::string catalogue_path(const std::string& name);
// The name of the file whose "chips" hold `chip`; empty when none does.
std::string catalogue_of_chip(const ConfigStore& store, const std::string& chip);
// `name` and all that it extends. Throws Error(usage) naming file, line and field.
MergedCatalogue merge_catalogue(const ConfigStore& store, const std::string& name);

}  // namespace kprof
