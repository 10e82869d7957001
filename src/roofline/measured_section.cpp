#include "roofline/measured_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "roofline/config_fields.hpp"
#include "roofline/judge.hpp"

namespace kprof {
namespace {

void one_of(const JsonCursor& c, const std::vector<std::string>& allowed) {
    const std::string text = c.string();
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
        c.fail("\"" + text + "\" must be one of: " + join(allowed, ", "));
    }
}

double not_negative(const JsonCursor& c, const std::string& key) {
    const double value = c.number_or(key, 0);
    if (!std::isfinite(value) || value < 0) c.at(key).fail("must not be negative");
    return value;
}

Ceiling read_ceiling(const JsonCursor& c) {
    c.only({"kind", "name", "pipe", "value", "unit", "clock_mhz", "spread", "best", "repeats", "how",
            "suspect"});
    one_of(c.at("kind"), {"bandwidth", "compute"});
    Ceiling out;
    out.origin = "measured";
    out.mark = "V";
    out.kind = c.at("kind").string();
    out.pipe = c.string_or("pipe", "");
    if (out.kind == "bandwidth") {
        one_of(c.at("name"), {"dram", "mall", "l2", "l1", "lds", "smem"});
        if (!out.pipe.empty()) c.at("pipe").fail("is for compute ceilings only");
        one_of(c.at("unit"), {"B/s"});
    } else {
        one_of(c.at("name"), {"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "special"});
        one_of(c.at("pipe"), {"vector", "tensor", "xu"});
        const std::string& name = c.at("name").string();
        if ((name == "special") != (out.pipe == "xu"))
            c.at("pipe").fail("\"xu\" is the pipe of \"special\" only");
        one_of(c.at("unit"), {name == "int8" || name == "special" ? "OP/s" : "FLOP/s"});
    }
    out.name = c.at("name").string();
    out.unit = c.at("unit").string();
    out.value = fields::positive(c.at("value"));
    out.clock_mhz = not_negative(c, "clock_mhz");
    out.spread = not_negative(c, "spread");
    out.best = not_negative(c, "best");
    if (c.has("repeats")) out.repeats = fields::positive_int(c.at("repeats"));
    out.how = fields::filled(c.at("how"));
    out.suspect = c.boolean_or("suspect", false);
    return out;
}

std::optional<double> read_cost(const JsonCursor& c, const std::string& key) {
    return c.has(key) ? std::optional<double>(fields::positive(c.at(key))) : std::nullopt;
}

WorkingSet read_working_set(const JsonCursor& c) {
    c.only({"access", "bytes_per_sm", "value", "unit", "clock_mhz", "spread"});
    one_of(c.at("access"), {"l1", "l2"});
    one_of(c.at("unit"), {"B/s"});
    WorkingSet out;
    out.access = c.at("access").string();
    out.bytes_per_sm = fields::positive_integer(c.at("bytes_per_sm"));
    out.value = fields::positive(c.at("value"));
    out.clock_mhz = not_negative(c, "clock_mhz");
    out.spread = not_negative(c, "spread");
    return out;
}

// One sentence for people, as every number has one.
std::string source_of(const Ceiling& c, const MeasuredSection& s) {
    std::string out = c.how;
    if (c.repeats > 0) out += fmt::format("; median of {}", c.repeats);
    out += ", ±" + format_percent(100 * c.spread, 1);
    if (c.clock_mhz > 0) out += ", at " + format_value(std::round(c.clock_mhz), "MHz");
    out += "; kprof ceilings on " + s.gpu;
    if (!s.driver.empty()) out += ", driver " + s.driver;
    return out + ", " + s.date.substr(0, 10);
}

bool same_roof(const Ceiling& a, const Ceiling& b) {
    return a.kind == b.kind && a.name == b.name && a.pipe == b.pipe;
}

void put(Json& to, const char* key, double value) {
    if (std::isfinite(value) && value > 0) to[key] = value;
}

}  // namespace

bool MeasuredSection::empty() const {
    return ceilings.empty() && working_sets.empty() && !launch.host_ns && !launch.stream_ns &&
           !launch.graph_node_ns && !launch.graph_host_ns;
}

MeasuredSection read_measured(const JsonCursor& c) {
    c.only({"date", "gpu", "driver", "cuda", "kprof", "ceilings", "launch", "working_sets"});
    MeasuredSection out;
    out.date = fields::filled(c.at("date"));
    out.gpu = fields::filled(c.at("gpu"));
    out.driver = c.string_or("driver", "");
    out.cuda = c.string_or("cuda", "");
    out.kprof = c.string_or("kprof", "");
    if (c.has("ceilings")) {
        for (const JsonCursor& item : c.at("ceilings").items()) {
            Ceiling ceiling = read_ceiling(item);
            ceiling.source = source_of(ceiling, out);
            out.ceilings.push_back(std::move(ceiling));
        }
    }
    if (c.has("launch")) {
        const JsonCursor launch = c.at("launch");
        launch.only({"host_ns", "stream_ns", "graph_node_ns", "graph_host_ns"});
        out.launch = {read_cost(launch, "host_ns"), read_cost(launch, "stream_ns"),
                      read_cost(launch, "graph_node_ns"), read_cost(launch, "graph_host_ns")};
    }
    if (c.has("working_sets")) {
        for (const JsonCursor& item : c.at("working_sets").items())
            out.working_sets.push_back(read_working_set(item));
    }
    return out;
}

Json measured_json(const MeasuredSection& s) {
    Json ceilings = Json::array(), sets = Json::array(), launch = Json::object();
    for (const Ceiling& c : s.ceilings) {
        if (!std::isfinite(c.value) || c.value <= 0) continue;
        Json one{{"kind", c.kind}, {"name", c.name},     {"value", c.value},
                 {"unit", c.unit}, {"spread", c.spread}, {"how", c.how}};
        if (!c.pipe.empty()) one["pipe"] = c.pipe;
        put(one, "clock_mhz", c.clock_mhz);
        put(one, "best", c.best);
        if (c.repeats > 0) one["repeats"] = c.repeats;
        if (c.suspect) one["suspect"] = true;
        ceilings.push_back(std::move(one));
    }
    for (const WorkingSet& w : s.working_sets) {
        if (!std::isfinite(w.value) || w.value <= 0) continue;
        Json one{{"access", w.access},
                 {"bytes_per_sm", w.bytes_per_sm},
                 {"value", w.value},
                 {"unit", "B/s"},
                 {"spread", w.spread}};
        put(one, "clock_mhz", w.clock_mhz);
        sets.push_back(std::move(one));
    }
    if (s.launch.host_ns) put(launch, "host_ns", *s.launch.host_ns);
    if (s.launch.stream_ns) put(launch, "stream_ns", *s.launch.stream_ns);
    if (s.launch.graph_node_ns) put(launch, "graph_node_ns", *s.launch.graph_node_ns);
    if (s.launch.graph_host_ns) put(launch, "graph_host_ns", *s.launch.graph_host_ns);
    return {{"date", s.date},
            {"gpu", printable(s.gpu)},
            {"driver", s.driver},
            {"cuda", s.cuda},
            {"kprof", s.kprof},
            {"ceilings", std::move(ceilings)},
            {"launch", std::move(launch)},
            {"working_sets", std::move(sets)}};
}

void apply_measured(const MeasuredSection& s, Machine& m) {
    // Roofs of another board or driver have another date and another meaning: they make way as a whole.
    if (!m.measured_gpu.empty() && (m.measured_gpu != s.gpu || m.measured_driver != s.driver)) {
        m.measured.clear();
        m.working_sets.clear();
        m.launch = {};
    }
    const auto replaced = [&](const Ceiling& old) {
        return std::any_of(s.ceilings.begin(), s.ceilings.end(),
                           [&](const Ceiling& c) { return same_roof(c, old); });
    };
    m.measured.erase(std::remove_if(m.measured.begin(), m.measured.end(), replaced), m.measured.end());
    m.measured.insert(m.measured.end(), s.ceilings.begin(), s.ceilings.end());
    for (Ceiling& c : m.measured) c.suspect = c.suspect || judge(c, m).suspect;
    if (s.launch.host_ns) m.launch.host_ns = s.launch.host_ns;
    if (s.launch.stream_ns) m.launch.stream_ns = s.launch.stream_ns;
    if (s.launch.graph_node_ns) m.launch.graph_node_ns = s.launch.graph_node_ns;
    if (s.launch.graph_host_ns) m.launch.graph_host_ns = s.launch.graph_host_ns;
    if (!s.working_sets.empty()) m.working_sets = s.working_sets;
    m.measured_date = s.date.substr(0, 10);
    m.measured_gpu = s.gpu;
    m.measured_driver = s.driver;
}

bool same_measurement(const Ceiling& a, const Ceiling& b) {
    // The first words of `how` name the way; what follows the comma are its parameters.
    const auto way = [](const Ceiling& c) { return c.how.substr(0, c.how.find(',')); };
    return same_roof(a, b) && way(a) == way(b);
}

}  // namespace kprof
