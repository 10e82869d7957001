#include "report/text_view.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kprof {
namespace {

constexpr const char* path = "views/text.json";
constexpr std::array<std::string_view, 5> kinds{"metric", "time", "intensity", "roof", "occupancy"};

ViewItem item_from(const JsonCursor& c) {
    c.only({"kind", "metric", "label", "after", "after_measured", "optional"});
    ViewItem item;
    item.kind = c.string_or("kind", "metric");
    item.id = c.string_or("metric", "");
    item.label = c.string_or("label", "");
    item.after = c.string_or("after", "");
    item.after_measured = c.string_or("after_measured", "");
    item.optional = c.boolean_or("optional", false);
    if (std::find(kinds.begin(), kinds.end(), item.kind) == kinds.end()) {
        c.fail("'" + item.kind + "' is not a kind of item",
               "the kinds are metric, time, intensity, roof and occupancy");
    }
    const bool named = item.kind == "metric" || item.kind == "occupancy";
    if (named == item.id.empty()) {
        c.fail(named ? "the item names no metric" : "an item of kind '" + item.kind + "' takes no metric",
               R"(write {"metric": "l2_hit_rate", "label": "L2 hit"} or {"kind": "time"})");
    }
    return item;
}

std::vector<ViewItem> items_from(const JsonCursor& array) {
    std::vector<ViewItem> items;
    for (const JsonCursor& c : array.items()) items.push_back(item_from(c));
    return items;
}

std::size_t count_from(const JsonCursor& c, const std::string& key) {
    const std::int64_t n = c.at(key).integer();
    if (n < 0 || n > 1000) c.at(key).fail("must be between 0 and 1000");
    return static_cast<std::size_t>(n);
}

}  // namespace

TextView TextView::load(const ConfigStore& store) {
    const JsonDocument document = store.load(path);
    const JsonCursor root = document.root();
    root.only({"rows", "stalls", "findings_shown", "full_up_to"});
    TextView view;
    for (const JsonCursor& row : root.at("rows").items()) {
        row.only({"label", "items"});
        view.rows.push_back({row.at("label").string(), items_from(row.at("items"))});
    }
    const JsonCursor stalls = root.at("stalls");
    stalls.only({"label", "unit", "count", "items"});
    view.stalls_label = stalls.at("label").string();
    view.stalls_unit = stalls.at("unit").string();
    view.stalls_count = count_from(stalls, "count");
    view.stalls = items_from(stalls.at("items"));
    view.findings_shown = count_from(root, "findings_shown");
    view.full_up_to = count_from(root, "full_up_to");
    return view;
}

}  // namespace kprof
