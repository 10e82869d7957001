#include "cli/ceilings_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "roofline/judge.hpp"

namespace kprof::cli {

namespace {

std::string upper(std::string text) {
    for (char& c : text) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return text;
}

std::string title_of(const Ceiling& c) {
    if (c.name == "smem") return "shared memory";
    if (c.name == "special") return "special functions";
    return upper(c.name) + (c.pipe.empty() ? "" : " " + c.pipe);
}

// format_flops() says FLOP/s; integers and special functions are operations.
std::string rate_text(const Ceiling& c) {
    if (c.unit == "B/s") return format_bandwidth(c.value);
    std::string text = format_flops(c.value);
    const std::size_t at = text.find("FLOP");
    return c.unit == "OP/s" && at != std::string::npos ? text.replace(at, 4, "OP") : text;
}

std::string share_text(const std::optional<double>& share) {
    return share ? format_share(*share) : "–";
}

bool same_roof(const Ceiling& a, const Ceiling& b) {
    return a.kind == b.kind && a.name == b.name && a.pipe == b.pipe;
}

// Roofs in the order in which they were measured; ways of one roof together, the highest usable first.
std::vector<const Ceiling*> in_order(const std::vector<Ceiling>& measured) {
    std::vector<const Ceiling*> out;
    for (const Ceiling& first : measured) {
        const auto there = [&](const Ceiling* c) { return same_roof(*c, first); };
        if (std::any_of(out.begin(), out.end(), there)) continue;
        std::vector<const Ceiling*> ways;
        for (const Ceiling& c : measured) {
            if (same_roof(c, first)) ways.push_back(&c);
        }
        std::stable_sort(ways.begin(), ways.end(), [](const Ceiling* a, const Ceiling* b) {
            return a->suspect != b->suspect ? b->suspect : a->value > b->value;
        });
        out.insert(out.end(), ways.begin(), ways.end());
    }
    return out;
}

}  // namespace

Listing ceilings_table(const Machine& machine, const std::vector<Ceiling>& measured) {
    Listing l{{"roof", "measured", "published", "of it", "at its clock", "±", "SM clock", "how"}, {}, ""};
    const Ceiling* before = nullptr;
    for (const Ceiling* c : in_order(measured)) {
        const Judgement j = judge(*c, machine);
        const bool also = before != nullptr && same_roof(*before, *c);
        l.rows.push_back({also ? "  also" : title_of(*c), rate_text(*c) + (c->suspect ? " suspect" : ""),
                          j.published && !also ? rate_text(*j.published)
                          : also               ? ""
                                               : "–",
                          share_text(j.share), share_text(j.share_at_clock),
                          format_percent(100 * c->spread, 1),
                          c->clock_mhz > 0 ? format_value(std::round(c->clock_mhz), "MHz") : "–", c->how});
        before = c;
    }
    return l;
}

Listing working_sets_table(const std::vector<WorkingSet>& sets) {
    std::map<std::int64_t, std::map<std::string, std::string>> by_size;
    for (const WorkingSet& w : sets) by_size[w.bytes_per_sm][w.access] = format_bandwidth(w.value);
    Listing l{{"KB an SM", "through L1", "past L1"}, {}, ""};
    for (auto& [bytes, values] : by_size) {
        const auto cell = [&values = values](const char* access) {
            const auto found = values.find(access);
            return found == values.end() ? std::string("–") : found->second;
        };
        l.rows.push_back({std::to_string(bytes / 1024), cell("l1"), cell("l2")});
    }
    return l;
}

std::string launch_line(const LaunchCosts& launch) {
    std::vector<std::string> parts;
    if (launch.host_ns) parts.push_back("host " + format_time_ns(*launch.host_ns) + " a launch");
    if (launch.stream_ns)
        parts.push_back("stream " + format_time_ns(*launch.stream_ns) + " from start to start");
    if (launch.graph_node_ns) parts.push_back("graph " + format_time_ns(*launch.graph_node_ns) + " a node");
    if (launch.graph_host_ns) parts.push_back("host " + format_time_ns(*launch.graph_host_ns) + " a node");
    return parts.empty() ? "" : "empty kernel: " + join(parts, ", ");
}

std::vector<std::string> suspect_notes(const Machine& machine, const std::vector<Ceiling>& measured) {
    std::vector<std::string> out;
    for (const Ceiling& c : measured) {
        if (!c.suspect) continue;
        const Judgement j = judge(c, machine);
        out.push_back(title_of(c) + ", " + c.how.substr(0, c.how.find(',')) + ": suspect, " +
                      (j.why.empty() ? "as it was when it was measured" : j.why) +
                      "; it is not saved and not used");
    }
    return out;
}

nlohmann::json ceilings_json(const Machine& machine, const MeasuredSection& section,
                             const std::vector<std::string>& notes, const std::string& saved) {
    const std::vector<const Ceiling*> order = in_order(section.ceilings);
    nlohmann::json out = {{"schema_version", "1.0"},
                          {"gpu", machine.id},
                          {"name", printable(machine.name)},
                          {"measured", measured_json(section)},
                          {"saved", saved.empty() ? nlohmann::json(nullptr) : nlohmann::json(saved)}};
    out["roofs"] = nlohmann::json::array();
    const Ceiling* before = nullptr;
    const auto optional = [](const std::optional<double>& v) {
        return v ? nlohmann::json(*v) : nlohmann::json(nullptr);
    };
    for (const Ceiling* c : order) {
        const Judgement j = judge(*c, machine);
        const bool first = before == nullptr || !same_roof(*before, *c);
        out["roofs"].push_back(
            {{"kind", c->kind},
             {"name", c->name},
             {"pipe", c->pipe},
             {"value", c->value},
             {"unit", c->unit},
             {"published", j.published ? nlohmann::json(j.published->value) : nlohmann::json(nullptr)},
             {"share", optional(j.share)},
             {"share_at_clock", optional(j.share_at_clock)},
             {"counts", first && !c->suspect},
             {"suspect", c->suspect},
             {"how", c->how}});
        before = c;
    }
    out["notes"] = nlohmann::json::array();
    for (const std::string& note : notes) out["notes"].push_back(printable(note));
    return out;
}

}  // namespace kprof::cli
