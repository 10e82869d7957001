// The roofline in the terminal, or bars of bandwidth for a kernel without floating-point work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

bool drawable(const RooflinePoint& p) {
    return p.intensity > 0 && p.performance > 0;
}

// How full each level is: a kernel that only moves data has no place on the log-log plot.
Lines bandwidth_bars(const std::vector<RooflinePoint>& points, const Pen& pen) {
    constexpr int cells = 30;
    Lines lines;
    for (const RooflinePoint& p : points) {
        if (p.bandwidth_roof <= 0) continue;
        const int full = static_cast<int>(std::lround(std::clamp(p.fraction, 0.0, 1.0) * cells));
        std::string bar;
        for (int i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
        lines.push_back(pen.text(fmt::format("  {} {} {} of {}, {:.0f} %", pad_right(roof_name(p.level), 5),
                                             bar, format_bandwidth(p.fraction * p.bandwidth_roof),
                                             format_bandwidth(p.bandwidth_roof), p.fraction * 100)));
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
