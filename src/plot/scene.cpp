#include "plot/scene.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "plot/label.hpp"

namespace kprof {
namespace {

using Points = std::vector<RooflinePoint>;

bool higher(const SceneRoof& a, const SceneRoof& b) {
    return a.value > b.value;
}

// The kernel's own point: measured, DRAM, under the published roofs. A what-if when nothing was measured.
const RooflinePoint* main_point(const Points& points) {
    const auto own = std::find_if(points.begin(), points.end(), [](const RooflinePoint& p) {
        return !p.what_if && p.level == "dram" && p.clock == "datasheet";
    });
    if (own != points.end()) return &*own;
    return points.empty() ? nullptr : &points.front();
}

// A cache level is worth its line when the kernel comes near that roof: at half of it or more, and nearer
// than to the DRAM roof.
bool near_roof(const RooflinePoint& p, const RooflinePoint* main) {
    return p.fraction >= 0.5 && (!main || p.fraction > main->fraction || p.above_roof);
}

void add_bandwidth(RooflineScene& scene, const std::string& level, double value, bool main) {
    if (value <= 0) return;
    SceneRoof r;
    r.label = bandwidth_label(level, value);
    r.value = value;
    r.main = main;
    const auto same = [&](const SceneRoof& o) { return !o.horizontal && o.label == r.label; };
    if (std::none_of(scene.roofs.begin(), scene.roofs.end(), same)) scene.roofs.push_back(r);
}

void add_compute(RooflineScene& scene, const Machine& m, const std::string& precision,
                 const std::string& pipe, bool main) {
    const Ceiling* c = m.compute(precision, pipe);
    if (!c) return;
    SceneRoof r;
    r.label = compute_label(precision, c->pipe, c->value);
    r.horizontal = true;
    r.value = c->value;
    r.main = main;
    // FP16 and BF16 share a height; one line says enough, and the kernel's own comes first.
    const auto same = [&](const SceneRoof& o) { return o.horizontal && o.value == r.value; };
    if (std::none_of(scene.roofs.begin(), scene.roofs.end(), same)) scene.roofs.push_back(r);
}

// The tensor roof that a product of this precision could use.
std::string tensor_twin(const Machine& m, const std::string& precision) {
    if (m.compute(precision, "tensor") && precision != "fp32") return precision;
    if (precision == "fp64") return {};
    return m.compute("tf32", "tensor") ? "tf32" : "bf16";
}

void add_roofs(RooflineScene& scene, const Machine& m, const Points& points, const RooflinePoint* main) {
    const Ceiling* dram = m.bandwidth("dram");
    if (dram) add_bandwidth(scene, "dram", dram->value, true);
    if (!main) {
        for (const char* level : {"mall", "l2"}) {
            if (const Ceiling* c = m.bandwidth(level)) add_bandwidth(scene, level, c->value, false);
        }
        for (const char* precision : {"fp64", "fp32"}) add_compute(scene, m, precision, "vector", true);
        for (const char* precision : {"tf32", "bf16", "fp8"})
            add_compute(scene, m, precision, "tensor", true);
        return;
    }
    for (const RooflinePoint& p : points) {
        if (!p.what_if && p.level != "dram" && near_roof(p, main)) {
            add_bandwidth(scene, p.level, p.bandwidth_roof, false);
        }
    }
    if (!main->precision.empty()) {
        add_compute(scene, m, main->precision, main->pipe, true);
        const std::string twin = tensor_twin(m, main->precision);
        if (main->pipe == "vector" && !twin.empty()) add_compute(scene, m, twin, "tensor", false);
    }
    add_compute(scene, m, "fp32", "vector", main->precision.empty());
}

void add_points(RooflineScene& scene, const Points& points, const RooflinePoint* main) {
    for (const RooflinePoint& p : points) {
        const bool is_main = &p == main;
        // The same kernel again under the roof of its clock, or at a level whose roof is far: no second dot.
        const bool same_dot = p.clock != "datasheet" || p.precision != main->precision;
        if (!is_main && !p.what_if && (same_dot || p.level == "dram" || !near_roof(p, main))) continue;
        ScenePoint s;
        s.label = point_label(p);
        s.intensity = p.intensity;
        s.performance = p.performance;
        s.above_roof = p.above_roof;
        s.what_if = p.what_if;
        s.main = is_main;
        scene.points.push_back(s);
    }
}

constexpr double least_intensity = 1e-6, most_intensity = 1e9;  // FLOP/B
constexpr double least_rate = 1e3, most_rate = 1e21;            // FLOP/s

void set_ranges(RooflineScene& scene) {
    double x_low = 1, x_high = 1e3, y_low = 0, y_high = 0, slowest = 0, fastest = 0;
    for (const SceneRoof& r : scene.roofs) {
        if (r.horizontal) {
            y_high = std::max(y_high, r.value);
            y_low = y_low > 0 ? std::min(y_low, r.value) : r.value;
        } else {
            slowest = slowest > 0 ? std::min(slowest, r.value) : r.value;
            fastest = std::max(fastest, r.value);
        }
    }
    for (const ScenePoint& p : scene.points) {
        if (p.intensity <= 0 || p.performance <= 0) continue;
        x_low = std::min(x_low, p.intensity);
        x_high = std::max(x_high, p.intensity);
        y_high = std::max(y_high, p.performance);
        y_low = y_low > 0 ? std::min(y_low, p.performance) : p.performance;
    }
    if (y_high <= 0) y_high = slowest > 0 ? slowest * 1e3 : 1e15;
    if (slowest > 0) {
        // Every ridge, with room to its right for the roof and its label.
        x_high = std::max(x_high, 10 * y_high / slowest);
        x_low = std::min(x_low, y_high / fastest);
        // The slope is only to be seen when the axis reaches below it; four decades are enough.
        const double slope_start = slowest * std::max(x_low, 0.1);
        y_low = std::min(y_low > 0 ? y_low : slope_start, std::max(slope_start, y_high * 1e-4));
    }
    if (y_low <= 0) y_low = y_high * 1e-4;
    // Numbers that no kernel can have are held at the edges: axes of hundreds of decades show nothing.
    x_low = std::clamp(x_low, least_intensity, most_intensity);
    x_high = std::clamp(x_high, 10 * x_low, most_intensity * 10);
    y_high = std::clamp(y_high, least_rate, most_rate);
    y_low = std::clamp(y_low, y_high * 1e-12, y_high);
    scene.x.low = std::pow(10.0, std::floor(std::log10(x_low / 1.5)));
    scene.x.high = std::pow(10.0, std::ceil(std::log10(x_high * 1.5)));
    scene.y.low = std::pow(10.0, std::floor(std::log10(y_low / 1.2)));
    scene.y.high = y_high * 2;
}

// Ridges, the order of the roofs and the axes, once roofs and points are there.
void finish(RooflineScene& scene) {
    double slowest = 0;
    for (const SceneRoof& r : scene.roofs) {
        if (!r.horizontal) slowest = slowest > 0 ? std::min(slowest, r.value) : r.value;
    }
    for (SceneRoof& r : scene.roofs) {
        if (r.horizontal && slowest > 0) r.from_intensity = r.value / slowest;
    }
    std::stable_sort(scene.roofs.begin(), scene.roofs.end(), higher);
    std::stable_partition(scene.roofs.begin(), scene.roofs.end(), [](const SceneRoof& r) { return r.main; });
    set_ranges(scene);
}

}  // namespace

RooflineScene make_scene(const Machine& machine, const std::vector<RooflinePoint>& points) {
    RooflineScene scene;
    const RooflinePoint* main = main_point(points);
    add_roofs(scene, machine, points, main);
    if (main) add_points(scene, points, main);
    finish(scene);
    return scene;
}

std::string point_number(std::size_t row) {
    static const std::string names = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return row < names.size() ? std::string(1, names[row]) : "+";
}

RooflineScene make_common_scene(const Machine& machine, const std::vector<NumberedPoint>& points) {
    RooflineScene scene;
    if (const Ceiling* dram = machine.bandwidth("dram")) add_bandwidth(scene, "dram", dram->value, true);
    for (const NumberedPoint& p : points) {
        if (!p.point.precision.empty()) add_compute(scene, machine, p.point.precision, p.point.pipe, true);
        ScenePoint s;
        s.number = p.number;
        s.intensity = p.point.intensity;
        s.performance = p.point.performance;
        s.above_roof = p.point.above_roof;
        s.main = true;
        scene.points.push_back(s);
    }
    finish(scene);
    return scene;
}

}  // namespace kprof
