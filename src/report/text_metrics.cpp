// -v: every metric by group, each with its origin, or with the reason why it is missing.
#include <algorithm>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

struct Group {
    std::string name;
    std::vector<const Measurement*> metrics;
};

// Catalogue order where there is one; what the catalogue does not know comes last.
std::vector<Group> grouped(const MetricSet& metrics, const Catalogue* catalogue) {
    std::vector<Group> groups;
    const auto add = [&](const std::string& name, const Measurement& m) {
        auto at = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
        if (at == groups.end()) at = groups.insert(groups.end(), Group{name, {}});
        at->metrics.push_back(&m);
    };
    if (catalogue != nullptr) {
        for (const std::string& id : catalogue->ids()) {
            const auto found = metrics.find(id);
            if (found != metrics.end()) add(catalogue->find(id)->group, found->second);
        }
    }
    for (const auto& [id, m] : metrics) {
        if (catalogue == nullptr || catalogue->find(id) == nullptr) add("other", m);
    }
    return groups;
}

std::string value_of(const Measurement& m) {
    if (!m.ok()) return "–";
    std::string out = format_value(m.value, m.unit);
    if (m.spread) out += " ±" + format_percent(*m.spread * 100, 1);
    return out;
}

std::string remark_of(const Measurement& m) {
    if (m.ok())
        return m.reason.empty() ? to_string(m.origin) : std::string(to_string(m.origin)) + "; " + m.reason;
    return m.reason.empty() ? to_string(m.status) : std::string(to_string(m.status)) + ": " + m.reason;
}

}  // namespace

Lines metrics_section(const Analysed& a, const Catalogue* catalogue, const Pen& pen) {
    const std::vector<Group> groups = grouped(a.metrics, catalogue);
    if (groups.empty()) return {};
    std::size_t id_width = 0, value_width = 0;
    std::vector<std::string> not_collected;
    for (const auto& [id, m] : a.metrics) {
        if (m.status == Status::not_collected) {
            not_collected.push_back(pen.text(id));
            continue;
        }
        id_width = std::max(id_width, display_width(pen.text(id)));
        value_width = std::max(value_width, display_width(pen.text(value_of(m))));
    }
    Lines lines{pen.bold("all metrics")};
    for (const Group& group : groups) {
        const auto shown = [](const Measurement* m) { return m->status != Status::not_collected; };
        if (std::none_of(group.metrics.begin(), group.metrics.end(), shown)) continue;
        lines.push_back(pen.text("  " + (group.name.empty() ? "other" : group.name)));
        for (const Measurement* m : group.metrics) {
            if (!shown(m)) continue;
            const std::string id = "    " + pad_right(pen.text(m->id), id_width) + "  ";
            const std::string first = id + pad_left(pen.text(value_of(*m)), value_width) + "  ";
            const std::string remark = pen.text(remark_of(*m));
            if (display_width(first) + 16 <= pen.width()) {
                append(lines, pen.paragraph(first, remark));
            } else if (display_width(first) <= pen.width() + 2) {  // narrow: the remark on its own line
                lines.push_back(trim(first).insert(0, "    "));
                append(lines, pen.paragraph("        ", remark));
            } else {
                append(lines, pen.paragraph("    ", trim(id)));
                append(lines, pen.paragraph("        ", pen.text(value_of(*m)) + pen.separator() + remark));
            }
        }
    }
    // Their reasons (which counters) are in the JSON; here they would fill the screen.
    if (!not_collected.empty()) {
        lines.push_back(pen.text("  not collected (--metrics full)"));
        append(lines, pen.flow("    ", not_collected));
    }
    return lines;
}

}  // namespace kprof
