// The roofline as a scene, drawn by any canvas from the same scales: log-log axes, ceilings, ridges, points.
#pragma once

#include <string>
#include <vector>

#include "roofline/machine.hpp"
#include "roofline/place.hpp"

namespace kprof {

struct LogScale {
    double low = 0.1, high = 1e4;         // data range, both > 0
    double to_unit(double value) const;   // 0..1, clamped outside
    std::vector<double> decades() const;  // powers of ten inside
};

struct SceneRoof {
    std::string label;  // "BF16 tensor 989 T", "DRAM 4.80 TB/s"
    bool horizontal = false;
    double value = 0;           // FLOP/s or B/s
    double from_intensity = 0;  // horizontals start at their ridge on the lowest drawn bandwidth
    bool main = false;          // belongs to the kernel's own precision or to DRAM
};
struct ScenePoint {
    std::string label;   // in the legend; empty: not listed there
    std::string number;  // drawn instead of a dot; empty: a dot
    double intensity = 0, performance = 0;
    bool above_roof = false, what_if = false, main = false;
};
struct RooflineScene {
    LogScale x, y;  // FLOP/B, FLOP/s
    std::vector<SceneRoof> roofs;
    std::vector<ScenePoint> points;
    std::string x_title = "FLOP/B", y_title = "FLOP/s";
};

// Ceilings that matter: DRAM (and L2 when the point lies near it), the kernel's precision, and FP32 and the
// tensor roof it could use. Axis ranges hold every point and ridge.
RooflineScene make_scene(const Machine& machine, const std::vector<RooflinePoint>& points);

// Several kernels on one roofline, each under its number in a table. Roofs: DRAM, and every precision that a
// point belongs to.
struct NumberedPoint {
    std::string number;  // one character
    RooflinePoint point;
};
RooflineScene make_common_scene(const Machine& machine, const std::vector<NumberedPoint>& points);
// The character of a row: 1 ... 9, a ... z, A ... Z, then "+".
std::string point_number(std::size_t row);

struct TerminalStyle {
    int width = 80;
    int height = 12;
    bool ascii = false;
    bool colour = false;
};
// Lines without trailing spaces, each at most `width` columns.
std::vector<std::string> draw_terminal(const RooflineScene& scene, const TerminalStyle& style);

}  // namespace kprof
