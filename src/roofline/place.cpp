#include "roofline/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "roofline/flops.hpp"
#include "roofline/point.hpp"

namespace kprof {
namespace {

struct Level {
    std::string name;
    double bytes = 0;
    double roof = 0;     // B/s; 0: not known
    std::string origin;  // of the bytes: counter | model
    std::string note;
    double measured = 0;   // the measured roof; 0: none
    bool reached = false;  // `roof` itself is a measured one: what a loop reached, no bound of the hardware
};

struct Doing {  // one kind of arithmetic of the kernel
    std::string precision, pipe;
    double flops = 0;
    const Ceiling* ceiling = nullptr;
    std::string note;
    bool main = false;
};

void join_note(std::string& note, const std::string& more) {
    if (more.empty()) return;
    note += (note.empty() ? "" : "; ") + more;
}

std::string roof_level(const std::string& name) {
    if (name == "mall") return "Infinity Cache";
    return name == "dram" ? "DRAM" : name == "l2" ? "L2" : "L1";
}

std::string missing_because(const MetricSet& metrics, const std::string& id) {
    const auto at = metrics.find(id);
    if (at == metrics.end()) return "not measured";
    const std::string& reason = at->second.reason;
    const std::string own = id + ": ";  // "no time (boom)", not "no time (time: boom)"
    if (reason.rfind(own, 0) == 0) return reason.substr(own.size());
    return reason.empty() ? to_string(at->second.status) : reason;
}

// An L2 roof where the machine has none: what this kernel moved, over the share of the peak that it took.
// Below 5 % of the peak the division would magnify the counter's rounding.
void derive_l2_roof(const MetricSet& metrics, Level& level) {
    const auto active = ok_value(metrics, "l2_active"), bandwidth = ok_value(metrics, "l2_bandwidth");
    if (!active || !bandwidth || *active < 5 || *bandwidth <= 0) return;
    level.roof = *bandwidth / (*active / 100);
    level.note = "roof derived: this kernel's own lts__t_sectors against its peak";
}

// The published roof, and beside it the measured one. NVIDIA publishes none of L2: there the measured one is
// the roof, for the bytes that it was measured by; where those were not counted, one is derived.
void find_roof(const MetricSet& metrics, const Machine& machine, Level& level) {
    const Ceiling* published = machine.bandwidth(level.name);
    const Ceiling* measured = machine.measured_bandwidth(level.name);
    if (published) level.roof = published->value;
    if (level.name != "l2") {
        if (measured) level.measured = measured->value;
        return;
    }
    if (published) return;
    const auto by_sms = ok_value(metrics, "l2_sm_bytes");
    if (!measured || !by_sms || *by_sms <= 0) return derive_l2_roof(metrics, level);
    level.bytes = *by_sms;
    level.roof = level.measured = measured->value;
    level.reached = true;
    level.note = "traffic of the SMs, under the roof that kprof ceilings measured";
}

std::vector<Level> levels_of(const KernelProfile& p, const MetricSet& metrics, const Machine& machine,
                             std::vector<std::string>& notes) {
    std::vector<Level> out;
    for (const std::string name : {"dram", "l2", "l1"}) {
        Level level{name, 0, 0, "counter", ""};
        const std::string id = name + "_bytes";
        const std::string upper = roof_level(name);
        const auto bytes = ok_value(metrics, id);
        if (bytes && *bytes > 0) {
            level.bytes = *bytes;
        } else if (name == "dram" && !bytes && p.work && p.work->min_bytes > 0) {
            level.bytes = p.work->min_bytes;
            level.origin = "model";
            level.note = "DRAM bytes were not counted (" + missing_because(metrics, id) +
                         "): the least bytes of the algorithm are used";
        } else {
            notes.push_back(upper + ": " + (bytes ? "no bytes were moved" : missing_because(metrics, id)));
            continue;
        }
        find_roof(metrics, machine, level);
        if (level.roof <= 0) {
            notes.push_back(upper + ": no bandwidth roof is known for " + machine.name);
            continue;
        }
        out.push_back(level);
        // A memory-side cache serves what the DRAM counters see: both roofs hold for the same bytes.
        const Ceiling* mall =
            name == "dram" && level.origin == "counter" ? machine.bandwidth("mall") : nullptr;
        if (mall) {
            Level behind{"mall", level.bytes, mall->value, "counter", ""};
            if (const Ceiling* measured = machine.measured_bandwidth("mall"))
                behind.measured = measured->value;
            out.push_back(behind);
        }
    }
    return out;
}

// The algorithm's own FLOPs and the counted ones, when they are more than 2 % apart (padding, recomputation).
// Only the metric "flops" is a whole sum; a single type's count is not.
std::string model_against_counters(const Work& work, const MetricSet& metrics) {
    const auto seen = ok_value(metrics, work.precision == "int8" ? "ops_tensor_int8" : "flops");
    if (work.origin != "model" || !seen || *seen <= 0 || std::fabs(*seen / work.flops - 1) <= 0.02) return {};
    return fmt::format("the algorithm needs {} FLOP, the counters saw {}", format_count(work.flops),
                       format_count(*seen));
}

// What the kernel computed: its work as the algorithm defines it first, then all else that was counted.
std::vector<Doing> doings_of(const KernelProfile& p, const MetricSet& metrics, const Machine& machine,
                             std::vector<std::string>& notes) {
    std::vector<Doing> out;
    // A bound says how much the kernel did at least or at most: no performance can be made of it.
    if (p.work && p.work->flops > 0 && p.work->origin != "bound") {
        const ComputeRoof roof = roof_for(machine, p.work->precision, p.work->matrix_product);
        Doing d{p.work->precision, roof.pipe, p.work->flops, roof.ceiling, roof.note, true};
        join_note(d.note, model_against_counters(*p.work, metrics));
        out.push_back(d);
    }
    const std::vector<CountedFlops> counted = counted_flops(metrics, out.empty() ? 0 : out.front().flops);
    for (const CountedFlops& c : counted) {
        const auto same = [&](const Doing& d) { return d.precision == c.precision && d.pipe == c.pipe; };
        if (std::any_of(out.begin(), out.end(), same)) continue;
        const ComputeRoof roof = roof_of_pipe(machine, c.precision, c.pipe);
        out.push_back({c.precision, c.pipe, c.flops, roof.ceiling, roof.note, out.empty()});
    }
    const auto total = ok_value(metrics, "flops");
    if (out.empty() && total && *total > 0) {
        notes.push_back(format_count(*total) + " FLOP were counted, but not of which precision: no point");
    }
    return out;
}

RooflinePoint point_of(const Machine& machine, const Level& level, const Doing& d, double time_ns) {
    RooflinePoint r;
    r.machine = machine.id;
    r.level = level.name;
    r.precision = d.precision;
    r.pipe = d.pipe;
    r.intensity = d.flops / level.bytes;
    r.performance = d.flops / (time_ns * 1e-9);
    r.compute_roof = d.ceiling ? d.ceiling->value : 0;
    r.bandwidth_roof = level.roof;
    r.origin = level.origin;
    r.time_ns = time_ns;
    r.note = level.note;
    join_note(r.note, d.note);
    if (!d.ceiling) {
        join_note(r.note, "no " + d.pipe + " roof of " + d.precision + " is known for " + machine.name);
    }
    finish(r);
    const Ceiling* reached = machine.measured_compute(d.precision, d.pipe);
    // A roof that stands in for another precision's has no measured twin of that name.
    if (reached && d.ceiling && d.ceiling->name == d.precision) r.measured_compute_roof = reached->value;
    r.measured_bandwidth_roof = level.measured;
    finish_measured(r);
    return r;
}

// The compute roof at the clock the kernel ran at. Empty when the clock or the ceiling's is not known.
std::optional<RooflinePoint> at_held_clock(const RooflinePoint& point, const Doing& d,
                                           const MetricSet& metrics) {
    const auto hz = ok_value(metrics, "sm_clock_hz");
    if (!hz || *hz <= 0 || !d.ceiling || d.ceiling->clock_mhz <= 0) return std::nullopt;
    RooflinePoint held = point;
    held.clock = "held";
    held.measured_compute_roof = held.measured_bandwidth_roof = held.measured_fraction = 0;
    held.compute_roof = d.ceiling->value * (*hz / (d.ceiling->clock_mhz * 1e6));
    held.note = "compute roof at the " + format_value(std::round(*hz / 1e6), "MHz") +
                " that the kernel ran at; the published one holds at " +
                format_value(d.ceiling->clock_mhz, "MHz");
    finish(held);
    return held;
}

// Where the traffic was not counted, the least traffic stands for it, and that may have been served by a
// cache.
bool excuse_model(RooflinePoint& point) {
    if (!point.above_roof || point.origin != "model" || point.bound != "memory") return false;
    point.above_roof = false;
    join_note(point.note,
              "above the roof by its least traffic, which was not counted: part of it came from a cache");
    return true;
}

// A measured roof is what one loop reached, on this GPU or on another of its kind.
bool excuse_reached(RooflinePoint& point, const Level& level) {
    if (!point.above_roof || !level.reached || point.bound != "memory") return false;
    point.above_roof = false;
    join_note(point.note, "above the measured roof, which no published one confirms");
    return true;
}

// Lawful ways above a published roof; everything else stays flagged.
void excuse(RooflinePoint& point, const Level& level, const std::optional<RooflinePoint>& held,
            const Machine& machine) {
    if (!point.above_roof || excuse_model(point) || excuse_reached(point, level)) return;
    if (held && !held->above_roof) {
        point.above_roof = false;
        join_note(point.note, "above the published peak because the SM clock was above that peak's clock");
        return;
    }
    const Ceiling* mall = machine.bandwidth("mall");
    if (point.level == "dram" && point.origin == "counter" && mall) {
        const double rate = point.bandwidth_roof * point.fraction;
        if (point.bound == "memory" && rate <= roof_tolerance * mall->value) {
            point.above_roof = false;
            join_note(point.note, "above the DRAM roof: the counters include hits in the memory-side cache");
        }
    }
}

void flag(RooflinePoint& point) {
    if (!point.above_roof) return;
    join_note(point.note, format_percent(100 * point.fraction, 0) +
                              " of its roof: the ceiling or the measurement is wrong");
}

// Measured values of any size can overflow in a rate: such a point has no place, and the reason is said.
void keep(Placement& out, const RooflinePoint& point) {
    if (is_finite(point)) {
        out.points.push_back(point);
        return;
    }
    const std::string note = roof_level(point.level) +
                             ": not placed, the time, the bytes or the FLOPs are too large or too small for "
                             "a rate to be made of them";
    if (std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end()) out.notes.push_back(note);
}

RooflinePoint bytes_only(const Machine& machine, const Level& level, double time_ns) {
    RooflinePoint r;
    r.machine = machine.id;
    r.level = level.name;
    r.bandwidth_roof = level.roof;
    r.bound = "memory";
    r.origin = level.origin;
    r.time_ns = time_ns;
    const double rate = level.bytes / (time_ns * 1e-9);
    r.fraction = rate / level.roof;
    r.above_roof = r.fraction > roof_tolerance;
    if (level.measured > 0) {
        r.measured_bandwidth_roof = level.measured;
        r.measured_fraction = rate / level.measured;
    }
    r.note = "no FLOPs: " + format_bandwidth(rate);
    join_note(r.note, level.note);
    excuse_model(r);
    return r;
}

std::optional<double> time_of(const KernelProfile& p, const MetricSet& metrics) {
    auto time = ok_value(metrics, "time");
    if (!time) time = p.time.get();
    return time && *time > 0 && std::isfinite(*time) ? time : std::nullopt;
}

}  // namespace

Placement place(const KernelProfile& p, const MetricSet& metrics, const Machine& machine) {
    Placement out;
    const auto time = time_of(p, metrics);
    if (!time) {
        out.notes.push_back("not placed: no time (" + missing_because(metrics, "time") + ")");
        return out;
    }
    const std::vector<Level> levels = levels_of(p, metrics, machine, out.notes);
    const std::vector<Doing> doings = doings_of(p, metrics, machine, out.notes);
    for (const Doing& d : doings) {
        for (const Level& level : levels) {
            RooflinePoint point = point_of(machine, level, d, *time);
            auto held = d.main && level.name == "dram" ? at_held_clock(point, d, metrics) : std::nullopt;
            excuse(point, level, held, machine);
            flag(point);
            keep(out, point);
            if (!held) continue;
            excuse(*held, level, std::nullopt, machine);
            flag(*held);
            keep(out, *held);
        }
    }
    if (!doings.empty()) return out;
    for (const Level& level : levels) {
        RooflinePoint point = bytes_only(machine, level, *time);
        excuse(point, level, std::nullopt, machine);
        flag(point);
        keep(out, point);
    }
    return out;
}

}  // namespace kprof
