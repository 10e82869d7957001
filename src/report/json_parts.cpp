#include "report/json_parts.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

Json texts_json(const std::vector<std::string>& texts) {
    Json out = Json::array();
    for (const std::string& text : texts) out.push_back(printable(text));
    return out;
}

template <typename Integer>
Json optional_json(const std::optional<Integer>& value) {
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Json finite_json(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json finite_json(const std::optional<double>& value) {
    return value ? finite_json(*value) : Json(nullptr);
}

Json machine_json(const Machine& m) {
    Json ceilings = Json::array();
    std::vector<Ceiling> all = m.ceilings;
    all.insert(all.end(), m.measured.begin(), m.measured.end());
    for (const Ceiling& c : all) {
        Json one{{"kind", c.kind},
                 {"value", finite_json(c.value)},
                 {"unit", c.unit},
                 {"origin", c.origin},
                 {"source", printable(c.source)}};
        one[c.kind == "bandwidth" ? "level" : "precision"] = c.name;
        if (!c.pipe.empty()) one["pipe"] = c.pipe;
        if (!c.mark.empty()) one["mark"] = c.mark;
        if (c.clock_mhz > 0) one["clock_mhz"] = finite_json(c.clock_mhz);
        if (c.origin == "measured" && !c.how.empty()) one["spread"] = finite_json(c.spread);
        if (c.suspect) one["suspect"] = true;
        ceilings.push_back(std::move(one));
    }
    return {{"id", m.id},
            {"name", printable(m.name)},
            {"vendor", m.vendor},
            {"arch", m.arch},
            {"chip", m.chip},
            {"sm_count", m.sm_count},
            {"clock_mhz", finite_json(m.clock_mhz)},
            {"memory_bytes", m.memory_bytes},
            {"l2_bytes", m.l2_bytes},
            {"described", m.described},
            {"ceilings", std::move(ceilings)},
            {"notes", texts_json(m.notes)}};
}

Json occupancy_json(const Occupancy& o) {
    Json out{{"blocks_per_sm", o.blocks_per_sm},
             {"warps_per_sm", o.warps_per_sm},
             {"theoretical", finite_json(o.fraction)},
             {"limiters", texts_json(o.limiters)},
             {"by_warps", optional_json(o.by_warps)},
             {"by_blocks", optional_json(o.by_blocks)},
             {"by_registers", optional_json(o.by_registers)},
             {"by_shared_memory", optional_json(o.by_smem)}};
    if (!o.problem.empty()) out["problem"] = printable(o.problem);
    return out;
}

Json metrics_json(const MetricSet& metrics) {
    Json out = Json::object();
    for (const auto& [id, m] : metrics) {
        // A value that slipped through as NaN is a failure, never a number.
        const bool usable = m.ok() && std::isfinite(m.value);
        const Status status = m.ok() && !usable ? Status::failed : m.status;
        Json one{{"value", usable ? Json(m.value) : Json(nullptr)},
                 {"unit", m.unit},
                 {"status", to_string(status)},
                 {"origin", to_string(m.origin)},
                 {"reason", status == m.status ? printable(m.reason) : "not a finite number"}};
        if (m.spread && std::isfinite(*m.spread)) one["spread"] = *m.spread;
        out[printable(id)] = std::move(one);
    }
    return out;
}

Json placement_json(const Placement& placement) {
    Json out = Json::array();
    for (const RooflinePoint& p : placement.points) {
        Json one{{"machine", p.machine},
                 {"level", p.level},
                 {"precision", p.precision},
                 {"pipe", p.pipe},
                 {"clock", p.clock},
                 {"intensity", finite_json(p.intensity)},
                 {"performance", finite_json(p.performance)},
                 {"attainable", finite_json(p.attainable)},
                 {"compute_roof", finite_json(p.compute_roof)},
                 {"bandwidth_roof", finite_json(p.bandwidth_roof)},
                 {"ridge", finite_json(p.ridge)},
                 {"bound", p.bound},
                 {"fraction", finite_json(p.fraction)},
                 {"above_roof", p.above_roof},
                 {"origin", p.origin},
                 {"what_if", p.what_if},
                 {"note", printable(p.note)}};
        if (p.measured_fraction > 0) {
            Json measured{{"fraction", finite_json(p.measured_fraction)}};
            if (p.measured_bandwidth_roof > 0) measured["bandwidth_roof"] = p.measured_bandwidth_roof;
            if (p.measured_compute_roof > 0) measured["compute_roof"] = p.measured_compute_roof;
            one["measured"] = std::move(measured);
        }
        if (p.what_if) one["time_ns"] = finite_json(p.time_ns);
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace kprof
