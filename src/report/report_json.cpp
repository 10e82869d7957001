// The report as scripts read it. Names are a contract: add, do not rename.
#include <nlohmann/json.hpp>
#include <set>

#include "core/profile_json.hpp"
#include "core/strings.hpp"
#include "core/version.hpp"
#include "report/json_parts.hpp"
#include "report/series.hpp"

namespace kprof {
namespace {

Json analysed_json(const Analysed& a) {
    Json out = to_json(a.profile);
    if (a.occupancy) {
        out["launch"]["waves"] = finite_json(a.occupancy->waves);
        out["launch"]["occupancy"] = occupancy_json(*a.occupancy);
    }
    // Names that scripts may read without asking: there, and null when not known.
    for (const char* key : {"mangled", "short", "family", "variant", "dtype"}) {
        if (!out["kernel"].contains(key)) out["kernel"][key] = "";
    }
    if (!out["kernel"].contains("shape")) out["kernel"]["shape"] = Json::object();
    if (!out.contains("work")) out["work"] = nullptr;
    out["metrics"] = metrics_json(a.metrics);
    out["roofline"] = placement_json(a.placement);
    out["roofline_notes"] = a.placement.notes;
    out["diagnosis"] = diagnosis_json(a.diagnosis);
    out["machine"] = a.machine ? Json(a.machine->id) : Json(nullptr);
    return out;
}

}  // namespace

Json report_json(const Report& r) {
    Json command = Json::array(), profiles = Json::array(), machines = Json::array();
    for (const std::string& word : r.command) command.push_back(printable(word));
    std::set<std::string> seen;
    for (const Analysed& a : r.kernels) {
        profiles.push_back(analysed_json(a));
        if (a.machine && seen.insert(a.machine->id).second) machines.push_back(machine_json(*a.machine));
    }
    Json out{{"schema_version", profile_schema_version},
             {"kprof", {{"version", version()}, {"command", std::move(command)}}},
             {"machine", machines.empty() ? Json(nullptr) : machines.front()},
             {"profiles", std::move(profiles)}};
    if (r.series) out["series"] = series_json(r);
    if (machines.size() > 1) out["machines"] = std::move(machines);
    return out;
}

}  // namespace kprof
