#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/strings.hpp"
#include "report/json_parts.hpp"

namespace kprof {
namespace {

Json step_json(const Step& s) {
    return {{"step", s.step},
            {"rule", s.rule},
            {"title", printable(s.title)},
            {"state", to_string(s.state)},
            {"value", finite_json(s.value)},
            {"op", s.op},
            {"threshold", finite_json(s.threshold)},
            {"unit", s.unit},
            {"why", printable(s.why.empty() ? s.state_note : s.why)},
            {"threshold_origin", printable(s.threshold_origin)}};
}

Json finding_json(const Finding& f) {
    Json evidence = Json::array();
    for (const Evidence& e : f.evidence) {
        evidence.push_back({{"metric", e.metric},
                            {"value", finite_json(e.value)},
                            {"op", e.op},
                            {"threshold", finite_json(e.threshold)},
                            {"unit", e.unit}});
    }
    return {{"rule", f.rule},
            {"severity", f.severity},
            {"step", f.step},
            {"title", printable(f.title)},
            {"verdict", printable(f.verdict)},
            {"gain", finite_json(f.gain)},
            {"gain_assumes", printable(f.gain_assumes)},
            {"evidence", std::move(evidence)},
            {"advice", printable(f.advice)},
            {"try", printable(f.try_command)}};
}

Json resource_json(const ResourceTime& r) {
    Json out{{"resource", r.resource}, {"time_ns", finite_json(r.time_ns)}};
    if (!r.why_missing.empty()) out["reason"] = printable(r.why_missing);
    return out;
}

template <typename Items, typename Convert>
Json list_of(const Items& items, Convert convert) {
    Json out = Json::array();
    for (const auto& item : items) out.push_back(convert(item));
    return out;
}

}  // namespace

Json diagnosis_json(const Diagnosis& d) {
    const auto text = [](const std::string& s) { return Json(printable(s)); };
    return {{"verdict", printable(d.verdict)},
            {"rule", d.rule},
            {"at_limit", d.at_limit ? Json(*d.at_limit) : Json(nullptr)},
            {"status", d.status},
            {"steps", list_of(d.steps, step_json)},
            {"findings", list_of(d.findings, finding_json)},
            {"bound_model", list_of(d.bound_model, resource_json)},
            {"wanted", list_of(d.wanted, text)},
            {"notes", list_of(d.notes, text)}};
}

}  // namespace kprof
