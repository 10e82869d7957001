// configs/model/*.json -> Model. Layers are merged by id or name, upper layers win.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "diagnosis/model.hpp"

namespace kprof {

namespace {

// A later layer's entry of the same id takes the place of the earlier one.
template <typename T, typename SameId>
void put(std::vector<T>& list, T entry, SameId same) {
    const auto found = std::find_if(list.begin(), list.end(), same);
    if (found == list.end()) {
        list.push_back(std::move(entry));
    } else {
        *found = std::move(entry);
    }
}

// A share of 1, or alternatives: formulas over measured roofs first, the number that always holds last.
std::vector<Formula> read_share(const JsonCursor& c) {
    std::vector<Formula> out;
    const auto number = [&out](const JsonCursor& item) {
        const double value = item.number();
        if (!(value > 0 && value <= 1)) item.fail("a share is above 0 and at most 1");
        out.emplace_back(fmt::format("{}", value), item.path());
    };
    if (!c.raw().is_array()) {
        number(c);
        return out;
    }
    const std::vector<JsonCursor> items = c.items();
    if (items.empty()) c.fail("no share", "give at least a number");
    for (std::size_t i = 0; i + 1 < items.size(); ++i) out.push_back(read_formula(items[i]));
    number(items.back());
    return out;
}

ResourceDef read_resource(const JsonCursor& c) {
    c.only({"id", "title", "kind", "time", "achievable", "limit", "least", "ask_if", "idle_unless",
            "at_limit", "source"});
    ResourceDef r;
    r.id = c.at("id").string();
    r.title = c.at("title").string();
    r.kind = c.at("kind").string();
    if (r.kind != "memory" && r.kind != "compute") c.at("kind").fail("a kind is 'memory' or 'compute'");
    r.source = c.at("source").string();
    r.time = read_formulas(c.at("time"));
    r.achievable = read_share(c.at("achievable"));
    if (c.has("least")) r.least = read_formulas(c.at("least"));
    if (c.has("ask_if")) r.ask_if = read_formula(c.at("ask_if"));
    if (c.has("idle_unless")) r.idle_unless = read_formula(c.at("idle_unless"));
    if (c.has("limit")) {
        r.limit = read_share(c.at("limit"));
        r.at_limit = Text::read(c.at("at_limit"));
    }
    return r;
}

// The range of a constant stands beside it in the file that comes with kprof; a user's file sets the value.
void read_constant(const JsonCursor& c, Constant& into) {
    c.only({"value", "min", "max", "source"});
    if (c.has("min")) into.min = c.at("min").number();
    if (c.has("max")) into.max = c.at("max").number();
    const double value = c.at("value").number();
    if (!std::isfinite(value) || (into.min && value < *into.min) || (into.max && value > *into.max)) {
        c.at("value").fail(fmt::format("{:g} is out of range", value),
                           fmt::format("from {} to {}", into.min ? fmt::format("{:g}", *into.min) : "any",
                                       into.max ? fmt::format("{:g}", *into.max) : "any"));
    }
    into.value = value;
    into.source = c.at("source").string();
}

void read_bounds(const JsonCursor& c, Model& m) {
    c.only({"constants", "resources", "derived"});
    if (c.has("constants")) {
        const JsonCursor constants = c.at("constants");
        for (const std::string& name : constants.keys()) {
            const JsonCursor item = constants.at(name);
            read_constant(item, m.constants[name]);
        }
    }
    if (c.has("resources")) {
        for (const JsonCursor& item : c.at("resources").items()) {
            ResourceDef r = read_resource(item);
            const std::string id = r.id;
            put(m.resources, std::move(r), [&id](const ResourceDef& o) { return o.id == id; });
        }
    }
    if (c.has("derived")) {
        for (const JsonCursor& item : c.at("derived").items()) {
            item.only({"name", "unit", "formula", "source"});
            DerivedDef d{item.at("name").string(), item.string_or("unit", ""), item.at("source").string(),
                         read_formulas(item.at("formula"))};
            const std::string name = d.name;
            put(m.derived, std::move(d), [&name](const DerivedDef& o) { return o.name == name; });
        }
    }
}

void read_library(const JsonCursor& c, Model& m) {
    c.only({"entries"});
    for (const JsonCursor& item : c.at("entries").items()) {
        item.only({"precision", "suggest_for", "time", "source"});
        LibraryDef l{item.at("precision").string(), item.at("suggest_for").strings(),
                     read_formulas(item.at("time")), item.at("source").string()};
        const std::string precision = l.precision;
        put(m.library, std::move(l), [&precision](const LibraryDef& o) { return o.precision == precision; });
    }
}

void read_names(const JsonCursor& c, Model& m) {
    c.only({"matrix_product", "product_like", "no_matrix_product", "library_kernel", "wrapper", "source"});
    for (const char* key :
         {"matrix_product", "product_like", "no_matrix_product", "library_kernel", "wrapper"}) {
        if (c.has(key)) m.names[key] = c.at(key).strings();
    }
}

void read_verdicts(const JsonCursor& c, Model& m) {
    c.only(required_texts());
    for (const std::string& key : c.keys()) {
        if (key.empty() || key.front() != '_') m.texts[key] = Text::read(c.at(key));
    }
}

void layers(const ConfigStore& store, const std::string& path, Model& m,
            void (*read)(const JsonCursor&, Model&)) {
    for (const JsonDocument& document : store.layered(path)) read(document.root(), m);
}

}  // namespace

const std::vector<std::string>& required_texts() {
    static const std::vector<std::string> keys = {
        "failure",           "wrong_result",    "above_roof",        "too_small",
        "bad_time",          "model",           "no_counters",       "none",
        "none_lead",         "inconclusive",    "no_gain",           "step_failure",
        "step_wrong",        "step_above",      "step_too_small",    "step_bad_time",
        "step_no_counter",   "note_clock",      "note_findings",     "note_bytes",
        "note_unseen_bound", "note_gain_open",  "note_beyond_limit", "impossible_share",
        "step_impossible",   "assumes_measured"};
    return keys;
}

const std::vector<std::string>& required_constants() {
    static const std::vector<std::string> names = {"too_small_ns",  "least_ns",       "most_ns",
                                                   "min_gain",      "most_share",     "idle",
                                                   "severity_high", "severity_medium"};
    return names;
}

Model Model::load(const ConfigStore& store) {
    Model m;
    layers(store, "model/bounds.json", m, read_bounds);
    layers(store, "model/library_gemm.json", m, read_library);
    layers(store, "model/kernel_names.json", m, read_names);
    layers(store, "model/verdicts.json", m, read_verdicts);
    for (const std::string& key : required_texts()) {
        if (m.texts.count(key) == 0) {
            throw usage_error(store.origin_of("model/verdicts.json") + ":1: field '" + key + "' is missing",
                              "copy the sentence from the file that kprof brings");
        }
    }
    for (const std::string& name : required_constants()) {
        if (m.constants.count(name) == 0) {
            throw usage_error(
                store.origin_of("model/bounds.json") + ":1: field 'constants." + name + "' is missing",
                "copy the constant from the file that kprof brings");
        }
    }
    return m;
}

double Model::constant(const std::string& name) const {
    return constants.at(name).value;
}

const ResourceDef* Model::resource(const std::string& id) const {
    const auto found =
        std::find_if(resources.begin(), resources.end(), [&id](const ResourceDef& r) { return r.id == id; });
    return found == resources.end() ? nullptr : &*found;
}

const DerivedDef* Model::find_derived(const std::string& name) const {
    const auto found =
        std::find_if(derived.begin(), derived.end(), [&name](const DerivedDef& d) { return d.name == name; });
    return found == derived.end() ? nullptr : &*found;
}

std::string Model::say(const std::string& key, const Values& v) const {
    return texts.at(key).render(v);
}

}  // namespace kprof
