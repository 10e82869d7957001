// The bound model and what else the rules stand on: configs/model/*.json.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "diagnosis/text.hpp"
#include "metrics/formula.hpp"

namespace kprof {

// A resource that could bound a kernel, and the time that it needs by itself.
struct ResourceDef {
    std::string id, title, kind, source;  // kind: memory | compute
    // In ns. Every alternative is a lower bound of the same time: the largest available one counts.
    std::vector<Formula> time;
    // What of it no fix takes away, in ns; the first alternative with all inputs counts. Empty: nothing.
    std::vector<Formula> least;
    // The share of its peak that good kernels reach, and the busy share from which a kernel is "at its limit"
    // here (empty: never). The first alternative with all inputs counts; the last is a number.
    std::vector<Formula> achievable, limit;
    std::optional<Formula> ask_if;  // its metrics are worth collecting while this holds
    // While this is false the resource is not what bounds, though it was not measured itself.
    std::optional<Formula> idle_unless;
    Text at_limit;  // the verdict there
};

// A name made of others; the first alternative whose inputs are all there counts.
struct DerivedDef {
    std::string name, unit, source;
    std::vector<Formula> formulas;
};

// The time of a library matrix product in one precision, in ns.
struct LibraryDef {
    std::string precision;                 // name of the roof
    std::vector<std::string> suggest_for;  // precisions whose products should move to this one
    std::vector<Formula> time;
    std::string source;
};

struct Constant {
    double value = 0;
    std::optional<double> min, max;  // what a user's file may set it to
    std::string source;
};

struct Model {
    std::map<std::string, Constant> constants;
    std::vector<ResourceDef> resources;
    std::vector<DerivedDef> derived;
    std::vector<LibraryDef> library;
    // Patterns over the words of kernel names, by list: see kernel_names.hpp.
    std::map<std::string, std::vector<std::string>> names;
    std::map<std::string, Text> texts;

    // Throws Error(usage) naming file, line and field.
    static Model load(const ConfigStore& store);
    double constant(const std::string& name) const;
    const ResourceDef* resource(const std::string& id) const;
    const DerivedDef* find_derived(const std::string& name) const;
    std::string say(const std::string& key, const Values& v) const;
};

// Keys that configs/model/verdicts.json must have, and constants that the code reads.
const std::vector<std::string>& required_texts();
const std::vector<std::string>& required_constants();

}  // namespace kprof
