// The short table under the findings and the line of stalls; what they show is configs/views/text.json.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

constexpr std::string_view roof_field = "{roof}", measured_field = "{measured}", origin_field = "{origin}";

// Where the point's binding roof comes from: "datasheet", "derived".
std::string origin_of_roof(const Machine& machine, const RooflinePoint& point) {
    const bool memory = point.bound == "memory" || point.precision.empty();
    const Ceiling* c = memory ? machine.bandwidth(point.level) : machine.compute(point.precision, point.pipe);
    return c == nullptr ? "published" : c->origin;
}

void replace(std::string& text, std::string_view field, const std::string& by) {
    const std::size_t at = text.find(field);
    if (at != std::string::npos) text.replace(at, field.size(), by);
}

// Dashes say what a measurement lacks; a model lacks every counter.
bool modelled(const Analysed& a) {
    return a.profile.provenance.kind == "model";
}

std::optional<std::string> time_text(const KernelProfile& p) {
    if (!p.time.ok()) return std::nullopt;
    std::vector<std::string> how;
    if (p.time.spread) how.push_back("±" + format_percent(*p.time.spread * 100, 1));
    if (p.provenance.repeats > 0) how.push_back(fmt::format("{} runs", p.provenance.repeats));
    const std::string time = format_time_ns(p.time.value);
    return how.empty() ? time : time + " (" + join(how, ", ") + ")";
}

std::optional<std::string> metric_text(const Analysed& a, const std::string& id, bool zero_tells = true) {
    const auto found = a.metrics.find(id);
    if (found == a.metrics.end() || !found->second.ok()) return std::nullopt;
    if (!zero_tells && found->second.value == 0) return std::nullopt;
    return format_value(found->second.value, found->second.unit);
}

// "99.5 % of 100 % (limit: warps)": achieved, what the launch allows, and why not more.
std::optional<std::string> occupancy_text(const Analysed& a, const std::string& id) {
    const std::optional<std::string> achieved = metric_text(a, id);
    if (!a.occupancy) return achieved;
    const Occupancy& o = *a.occupancy;
    // As many decimals as the measured one, but none where there is nothing to show: "12.5 % of 12.5 %".
    const double possible = o.fraction * 100;
    const bool whole = std::fabs(possible - std::round(possible)) < 0.05;
    const std::string most = format_percent(possible, whole ? 0 : 1);
    std::string out = !achieved && modelled(a) ? "at most " + most : achieved.value_or("–") + " of " + most;
    if (!o.problem.empty()) return out + " (" + o.problem + ")";
    return o.limiters.empty() ? out : out + " (limit: " + join(o.limiters, ", ") + ")";
}

std::optional<std::string> value_text(const Analysed& a, const ViewItem& item) {
    if (item.kind == "time") return time_text(a.profile);
    if (item.kind == "metric") return metric_text(a, item.id, !item.optional);  // "0 FLOP/s" of a copy
    if (item.kind == "occupancy") return occupancy_text(a, item.id);
    const RooflinePoint* point = main_point(a.placement);
    if (point == nullptr) return std::nullopt;
    if (item.kind == "roof") return format_share(point->fraction);
    if (point->intensity <= 0) return std::nullopt;
    return format_value(point->intensity, "FLOP/B");
}

std::string item_text(const Analysed& a, const ViewItem& item) {
    const std::optional<std::string> value = value_text(a, item);
    if (!value && (item.optional || modelled(a))) return {};
    // Without a point there is no roof to name.
    const bool names_roof = item.after.find(roof_field) != std::string::npos;
    const RooflinePoint* point = main_point(a.placement);
    if (names_roof && (point == nullptr || binding_roof(*point).empty())) return {};
    std::string out = item.label;
    // A value whose unit says what it is has no label; missing, it needs a name.
    if (out.empty() && !value && item.after.empty()) out = item.id;
    if (!out.empty()) out += " ";
    out += value.value_or("–");
    if (item.after.empty()) return out;
    if (!names_roof) return out + " " + item.after;
    const bool both = point->measured_fraction > 0 && !item.after_measured.empty();
    std::string after = both ? item.after_measured : item.after;
    replace(after, roof_field, binding_roof(*point));
    if (a.machine) replace(after, origin_field, origin_of_roof(*a.machine, *point));
    replace(after, measured_field, format_share(point->measured_fraction));
    return out + " " + after;
}

std::vector<std::string> stall_items(const Analysed& a, const TextView& view) {
    std::vector<std::pair<double, std::string>> measured;
    for (const ViewItem& item : view.stalls) {
        const auto found = a.metrics.find(item.id);
        if (found != a.metrics.end() && found->second.ok() && found->second.value >= 0.05)  // prints as 0.0
            measured.emplace_back(found->second.value, item.label);
    }
    std::stable_sort(measured.begin(), measured.end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
    if (measured.size() > view.stalls_count) measured.resize(view.stalls_count);
    std::vector<std::string> items;
    items.reserve(measured.size());
    for (const auto& [cycles, label] : measured) items.push_back(fmt::format("{} {:.1f}", label, cycles));
    if (!items.empty()) items.back() += " " + view.stalls_unit;
    return items;
}

}  // namespace

Lines table_section(const Analysed& a, const TextView& view, const Pen& pen) {
    const auto line = [&](const std::string& label, std::vector<std::string> items) {
        for (std::string& item : items) item = pen.text(item);
        return pen.flow(pad_right(pen.text(label), 8), items);
    };
    Lines lines;
    for (const ViewRow& row : view.rows) {
        std::vector<std::string> items;
        for (const ViewItem& item : row.items) items.push_back(item_text(a, item));
        const auto empty = [](const std::string& item) { return item.empty(); };
        if (std::all_of(items.begin(), items.end(), empty)) continue;
        append(lines, line(row.label, std::move(items)));
    }
    append(lines, line(view.stalls_label, stall_items(a, view)));
    return lines;
}

}  // namespace kprof
