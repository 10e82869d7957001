// The five steps, always all of them: mark, number, threshold, and what the number means.
#include <algorithm>
#include <map>
#include <string_view>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

struct Row {
    const Step* step = nullptr;
    std::string name, measured, wanted, why;
};

const char* mark_of(StepState s) {
    switch (s) {
        case StepState::pass:
            return "✓";
        case StepState::fail:
            return "✗";
        case StepState::not_applicable:
            return "–";
        case StepState::not_measured:
            return "?";
    }
    return "?";
}

std::string painted_mark(StepState s, const Pen& pen) {
    const std::string mark = pen.text(mark_of(s));
    if (s == StepState::pass) return pen.green(mark);
    if (s == StepState::fail) return pen.red(mark);
    return pen.dim(mark);
}

// A threshold as people write it: "30 %", not "30.0 %".
std::string threshold_text(double value, const std::string& unit) {
    std::string text = format_value(value, unit);
    const std::size_t zero = text.find(".0 %");
    if (zero != std::string::npos) text.erase(zero, 2);
    return text;
}

std::string wanted_text(const Step& s) {
    if (!s.threshold) return "";
    const std::string op = s.op == ">=" ? "≥" : s.op == "<=" ? "≤" : s.op;
    return (op.empty() ? "" : op + " ") + threshold_text(*s.threshold, s.unit);
}

// "excess_sectors: smsp__x.sum was not collected" -> "excess_sectors: not collected": which counters it lacks
// fills lines and is said with -v. A reason of another kind stays as it is.
std::string without_counters(const std::string& why) {
    const std::size_t mark = why.find("__");
    if (mark == std::string::npos || !contains(why, "was not collected")) return why;
    const std::size_t space = why.rfind(' ', mark);
    return (space == std::string::npos ? "" : why.substr(0, space + 1)) + "not collected";
}

std::size_t longest_word(const std::string& text) {
    std::size_t longest = 0;
    for (const std::string& word : split(text, ' ')) longest = std::max(longest, display_width(word));
    return longest;
}

Row row_of(const Step& s, const Pen& pen) {
    Row row;
    row.step = &s;
    row.name = std::to_string(s.step) + " " + pen.text(s.title.empty() ? s.rule : s.title);
    row.measured = s.value ? pen.text(format_value(*s.value, s.unit)) : pen.dash();
    row.wanted = pen.text(wanted_text(s));
    std::string why = s.why.empty() ? s.state_note : s.why;
    if (s.state == StepState::not_measured && !pen.verbose()) why = without_counters(why);
    if (why.empty() && s.state == StepState::not_applicable) why = "not applicable";
    if (why.empty() && s.state == StepState::not_measured) why = "not measured";
    row.why = pen.text(why);
    return row;
}

// "thresholds: built-in rules; occupancy: --threshold": the common origin first, then what differs from it.
std::string origins_text(const std::vector<Step>& steps) {
    std::map<std::string, std::vector<std::string>> by_origin;
    for (const Step& s : steps) {
        if (!s.threshold || s.threshold_origin.empty()) continue;
        // Every rule may have a file of its own: the folder says enough.
        const std::size_t slash = s.threshold_origin.rfind('/');
        std::string origin = s.threshold_origin.substr(0, slash);
        constexpr std::string_view embedded = "embedded:";
        if (origin.rfind(embedded, 0) == 0) origin.replace(0, embedded.size(), "built-in ");
        by_origin[origin].push_back(s.rule);
    }
    if (by_origin.empty()) return "";
    const auto common =
        std::max_element(by_origin.begin(), by_origin.end(),
                         [](const auto& x, const auto& y) { return x.second.size() < y.second.size(); });
    std::string out = "thresholds: " + common->first;
    for (const auto& [origin, rules] : by_origin) {
        if (origin != common->first) out += "; " + join(rules, ", ") + ": " + origin;
    }
    return out;
}

}  // namespace

Lines steps_section(const Analysed& a, const Pen& pen) {
    constexpr std::size_t least_why = 20;
    std::vector<Row> rows;
    for (const Step& s : a.diagnosis.steps) rows.push_back(row_of(s, pen));
    if (rows.empty()) return {};
    std::size_t name = 6, measured = 8, wanted = 6;
    for (const Row& r : rows) {
        name = std::max(name, display_width(r.name));
        measured = std::max(measured, display_width(r.measured));
        wanted = std::max(wanted, display_width(r.wanted));
    }
    name = std::min(name, pen.width() / 3);  // the numbers are never cut; a long title is
    const auto columns = [&](const std::string& n, const std::string& m, const std::string& w) {
        return pad_right(pen.cut(n, name), name) + "  " + pad_right(m, measured) + "  " +
               pad_right(w, wanted);
    };
    const std::size_t used = 2 + name + 2 + measured + 2 + wanted + 2;
    const bool room_beside = used + least_why <= pen.width();
    Lines lines{pen.dim("  " + trim(columns("step", "measured", "wanted")))};
    for (const Row& r : rows) {
        const std::string mark = painted_mark(r.step->state, pen) + " ";
        std::string numbers = columns(r.name, r.measured, r.wanted);
        // A name that the column would break stands on a line of its own.
        const bool beside = room_beside && longest_word(r.why) <= pen.width() - used;
        // Columns are counted with a plain mark, and the painted one is put in place of it afterwards.
        Lines block = beside ? pen.paragraph("  " + numbers + "  ", r.why) : Lines{"  " + numbers};
        if (!beside && !r.why.empty()) append(block, pen.paragraph("      ", r.why));
        block.front().replace(0, 2, mark);
        for (std::string& line : block) line.erase(line.find_last_not_of(' ') + 1);
        append(lines, block);
    }
    const std::string origins = origins_text(a.diagnosis.steps);
    if (!origins.empty()) {
        for (const std::string& line : pen.paragraph("  ", pen.text(origins))) lines.push_back(pen.dim(line));
    }
    return lines;
}

}  // namespace kprof
