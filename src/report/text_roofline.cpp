// The roofline in the terminal, or bars of bandwidth for a kernel without floating-point work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

// "DRAM", "Infinity Cache".
std::string level_title(const std::string& level) {
    return level == "mall" ? "Infinity Cache" : roof_name(level);
}

bool drawable(const RooflinePoint& p) {
    return p.intensity > 0 && p.performance > 0;
}

// How full each level is: a kernel that only moves data has no place on the log-log plot.
Lines bandwidth_bars(const std::vector<RooflinePoint>& points, const Pen& pen) {
    constexpr std::size_t most_cells = 30, least_cells = 8, gaps = 4;
    struct Bar {
        std::string name, numbers;
        double fraction;
    };
    std::vector<Bar> bars;
    std::size_t name_width = 0, number_width = 0;
    for (const RooflinePoint& p : points) {
        if (p.bandwidth_roof <= 0) continue;
        bars.push_back({pen.text(level_title(p.level)),
                        pen.text(format_bandwidth(p.fraction * p.bandwidth_roof) + " of " +
                                 format_bandwidth(p.bandwidth_roof) + ", " + format_share(p.fraction)),
                        p.fraction});
        name_width = std::max(name_width, display_width(bars.back().name));
        number_width = std::max(number_width, display_width(bars.back().numbers));
    }
    // What the numbers leave of the line is the bar's; where that is little, the numbers stand under it.
    const std::size_t used = name_width + number_width + gaps;
    const bool beside = used + least_cells <= pen.width();
    const std::size_t cells = std::min(
        most_cells, beside ? pen.width() - used : pen.width() - std::min(pen.width(), name_width + 3));
    Lines lines;
    for (const Bar& b : bars) {
        const auto full = static_cast<std::size_t>(
            std::lround(std::clamp(b.fraction, 0.0, 1.0) * static_cast<double>(cells)));
        std::string drawn;
        for (std::size_t i = 0; i < cells; ++i) drawn += i < full ? "█" : "░";
        const std::string first = "  " + pad_right(b.name, name_width) + " ";
        lines.push_back(first + pen.text(drawn) + (beside ? " " + b.numbers : ""));
        if (!beside) append(lines, pen.paragraph(std::string(display_width(first), ' '), b.numbers));
    }
    return lines;
}

// A point above its roof is a finding about the tool or the ceiling: said under the plot, in red.
Lines flags(const Placement& placement, const Pen& pen) {
    Lines lines;
    for (const RooflinePoint& p : placement.points) {
        // The same point under the roof of its clock says nothing new.
        if (!p.above_roof || p.clock != "datasheet") continue;
        const std::string note = p.note.empty() ? "the ceiling or the measurement is wrong" : p.note;
        const std::string text =
            fmt::format("above the {} roof at {}: {}", binding_roof(p), roof_name(p.level), note);
        for (const std::string& line : pen.paragraph("  ! ", pen.text(text))) lines.push_back(pen.red(line));
    }
    return lines;
}

}  // namespace

std::string roof_name(const std::string& id) {
    std::string out = id;
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

std::string binding_roof(const RooflinePoint& point) {
    const bool memory = point.bound == "memory" || point.precision.empty() || point.intensity <= 0;
    return roof_name(memory ? point.level : point.precision);
}

const RooflinePoint* main_point(const Placement& placement) {
    const RooflinePoint* first = nullptr;
    for (const RooflinePoint& p : placement.points) {
        if (p.what_if) continue;
        if (p.level == "dram") return &p;
        if (first == nullptr) first = &p;
    }
    return first;
}

Lines roofline_section(const Analysed& a, const Pen& pen) {
    if (!a.machine) {
        return pen.paragraph("  ",
                             pen.text("no roofline: the ceilings of this GPU are not known; describe it in "
                                      "gpus/NAME.json of your config folder"));
    }
    std::vector<RooflinePoint> drawn, bars;
    for (const RooflinePoint& p : a.placement.points) {
        if (p.machine != a.machine->id) continue;  // what-ifs on other GPUs have their own table
        if (drawable(p)) {
            drawn.push_back(p);
        } else if (!p.what_if) {
            bars.push_back(p);
        }
    }
    Lines lines;
    if (drawn.empty() && !bars.empty()) {
        lines = bandwidth_bars(bars, pen);
    } else {
        TerminalStyle style;
        style.width = static_cast<int>(pen.width());
        style.ascii = pen.options().ascii;
        style.colour = pen.options().colour;
        lines = draw_terminal(make_scene(*a.machine, drawn), style);
    }
    append(lines, flags(a.placement, pen));
    return lines;
}

}  // namespace kprof
