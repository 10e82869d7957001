// The screen: which parts a kernel gets, in which order.
#include <map>
#include <set>
#include <utility>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

std::string joined(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

void block(Lines& to, const Lines& part) {
    if (part.empty()) return;
    if (!to.empty()) to.emplace_back();
    append(to, part);
}

// One line for scripts, never wrapped; what was not measured here says so behind the verdict.
std::string quiet_line(const Analysed& a, const Pen& pen) {
    const std::string from = announcement(a, pen, false);
    return title_of(a.profile, pen) + ": " + pen.text(a.diagnosis.verdict) +
           (from.empty() ? "" : " [" + from + "]");
}

Lines announced(const Analysed& a, const Pen& pen) {
    const std::string from = announcement(a, pen);
    return from.empty() ? Lines{} : pen.paragraph("", from);
}

// The catalogues that -v takes its groups from, each loaded once.
class Groups {
  public:
    explicit Groups(const ConfigStore& store) : store_(store) {}
    // nullptr for a chip without a readable catalogue: its metrics are shown without groups.
    const Catalogue* of(const DeviceFacts& device) {
        const std::string key = device.vendor + "/" + device.chip;
        const auto found = loaded_.find(key);
        if (found != loaded_.end()) return found->second ? &*found->second : nullptr;
        std::optional<Catalogue>& slot = loaded_[key];
        try {
            slot.emplace(Catalogue::load(store_, device.vendor, device.chip));
        } catch (const Error&) {
            return nullptr;
        }
        return &*slot;
    }

  private:
    const ConfigStore& store_;
    std::map<std::string, std::optional<Catalogue>> loaded_;
};

Lines bound_section(const Analysed& a, const Pen& pen) {
    std::vector<std::string> items;
    for (const ResourceTime& r : a.diagnosis.bound_model) {
        if (r.time_ns) items.push_back(pen.text(r.resource + " " + format_time_ns(*r.time_ns)));
    }
    return pen.flow("alone   ", items);
}

Lines screen(const Analysed& a, const TextView& view, Groups& groups, const Pen& pen) {
    Lines lines = announced(a, pen);
    append(lines, header_section(a, pen));
    append(lines, verdict_section(a, pen));
    // What a kernel with a wrong result, or without a measurement, looks like would only mislead.
    const bool judged = a.diagnosis.status != "wrong_result" && a.profile.failure.empty();
    if (judged) {
        block(lines, roofline_section(a, pen));
        block(lines, steps_section(a, pen));
        block(lines, findings_section(a, view, pen));
        block(lines, what_if_section(a, pen));
    }
    Lines rest = judged ? table_section(a, view, pen) : Lines{};
    if (judged && pen.verbose()) append(rest, bound_section(a, pen));
    append(rest, how_section(a, pen));
    block(lines, rest);
    if (pen.verbose()) block(lines, metrics_section(a, groups.of(a.profile.provenance.device), pen));
    return lines;
}

// Many kernels: the table, then a verdict each.
Lines overview(const Report& r, const TextOptions& o, const Pen& pen) {
    Lines lines;
    std::set<std::string> said;
    for (const Analysed& a : r.kernels) {
        if (said.insert(announcement(a, pen)).second) append(lines, announced(a, pen));
    }
    std::string summary = text_summary(r, o);
    if (!summary.empty()) summary.pop_back();  // its last newline
    append(lines, split(summary, '\n'));
    lines.emplace_back();
    for (const Analysed& a : r.kernels) {
        append(lines, pen.paragraph("", title_of(a.profile, pen) + ": " + pen.text(a.diagnosis.verdict)));
    }
    lines.push_back(pen.dim("-v shows the whole screen of every kernel"));
    return lines;
}

}  // namespace

std::string text_kernel(const Analysed& a, const ConfigStore& store, const TextOptions& o) {
    const Pen pen(o);
    if (o.verbosity < 0) return quiet_line(a, pen) + "\n";
    Groups groups(store);
    return joined(screen(a, TextView::load(store), groups, pen));
}

std::string text_report(const Report& r, const ConfigStore& store, const TextOptions& o) {
    const Pen pen(o);
    if (r.kernels.empty()) return "no kernel was measured\n";
    Lines lines;
    if (o.verbosity < 0) {
        for (const Analysed& a : r.kernels) lines.push_back(quiet_line(a, pen));
        return joined(lines);
    }
    const TextView view = TextView::load(store);
    if (r.kernels.size() > view.full_up_to && !pen.verbose()) return joined(overview(r, o, pen));
    Groups groups(store);
    for (const Analysed& a : r.kernels) block(lines, screen(a, view, groups, pen));
    std::string text = joined(lines);
    if (r.kernels.size() > 1) text += "\n" + text_summary(r, o);
    return text;
}

}  // namespace kprof
