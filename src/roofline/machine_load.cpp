// Reads configs/gpus/*.json. Fields of an upper layer's file replace those of the lower one; a ceiling
// replaces the one of the same kind, name and pipe as a whole, so that a value never keeps another's source.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/json.hpp"
#include "core/strings.hpp"
#include "roofline/arch.hpp"
#include "roofline/config_fields.hpp"
#include "roofline/machine.hpp"
#include "roofline/machine_config.hpp"
#include "roofline/measured_section.hpp"

namespace kprof {
namespace {

// {"value": 132, "mark": "V", "source": "..."}: a number is never without its source.
JsonCursor sourced(const JsonCursor& c) {
    c.only({"value", "mark", "source"});
    fields::mark(c.at("mark"));
    fields::filled(c.at("source"));
    return c.at("value");
}

void one_of(const JsonCursor& c, const std::vector<std::string>& allowed) {
    const std::string text = c.string();
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
        c.fail("\"" + text + "\" must be one of: " + join(allowed, ", "));
    }
}

Ceiling read_ceiling(const JsonCursor& c) {
    c.only({"kind", "name", "pipe", "value", "unit", "origin", "mark", "clock_mhz", "source"});
    one_of(c.at("kind"), {"bandwidth", "compute"});
    Ceiling out;
    out.kind = c.at("kind").string();
    if (out.kind == "bandwidth") {
        one_of(c.at("name"), {"dram", "mall", "l2", "l1", "lds"});
        one_of(c.at("unit"), {"B/s"});
        if (c.has("pipe") && !c.at("pipe").string().empty())
            c.at("pipe").fail("is for compute ceilings only");
    } else {
        one_of(c.at("name"), {"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8"});
        one_of(c.at("pipe"), {"vector", "tensor"});
        out.pipe = c.at("pipe").string();
        one_of(c.at("unit"), {c.at("name").string() == "int8" ? "OP/s" : "FLOP/s"});
    }
    out.name = c.at("name").string();
    out.unit = c.at("unit").string();
    out.value = fields::positive(c.at("value"));
    one_of(c.at("origin"), {"datasheet", "measured", "derived"});
    out.origin = c.at("origin").string();
    out.mark = fields::mark(c.at("mark"));
    out.source = fields::filled(c.at("source"));
    // 0 is allowed: it says that the value does not depend on the SM clock.
    out.clock_mhz = c.number_or("clock_mhz", 0);
    if (out.clock_mhz < 0) c.at("clock_mhz").fail("must not be negative");
    return out;
}

void apply(const JsonCursor& c, MachineConfig& config) {
    c.only({"id", "name", "vendor", "arch", "chip", "match", "exclude", "sm_count", "clock_mhz",
            "clock_tensor_mhz", "memory_bytes", "l2_bytes", "ceilings", "measured", "notes"});
    Machine& m = config.machine;
    m.name = c.string_or("name", m.name);
    m.vendor = c.string_or("vendor", m.vendor);
    m.arch = c.string_or("arch", m.arch);
    m.chip = c.string_or("chip", m.chip);
    if (c.has("match")) m.match_names = c.at("match").strings();
    if (c.has("exclude")) config.exclude = c.at("exclude").strings();
    if (c.has("sm_count")) m.sm_count = fields::positive_int(sourced(c.at("sm_count")));
    if (c.has("clock_mhz")) m.clock_mhz = fields::positive(sourced(c.at("clock_mhz")));
    if (c.has("clock_tensor_mhz")) m.clock_tensor_mhz = fields::positive(sourced(c.at("clock_tensor_mhz")));
    if (c.has("memory_bytes")) m.memory_bytes = fields::positive_integer(sourced(c.at("memory_bytes")));
    if (c.has("l2_bytes")) m.l2_bytes = fields::positive_integer(sourced(c.at("l2_bytes")));
    if (c.has("notes")) m.notes = c.at("notes").strings();
    if (c.has("ceilings")) {
        for (const JsonCursor& item : c.at("ceilings").items()) {
            const Ceiling ceiling = read_ceiling(item);
            const auto same = [&](const Ceiling& o) {
                return o.kind == ceiling.kind && o.name == ceiling.name && o.pipe == ceiling.pipe;
            };
            const auto at = std::find_if(m.ceilings.begin(), m.ceilings.end(), same);
            if (at == m.ceilings.end()) {
                m.ceilings.push_back(ceiling);
            } else {
                *at = ceiling;
            }
        }
    }
    // After the published ones, which they are judged by.
    if (c.has("measured")) apply_measured(read_measured(c.at("measured")), m);
}

// What is still missing when all layers were read: at() raises the error, with the uppermost file's name.
void check_complete(const JsonCursor& top, const MachineConfig& config, const std::vector<Arch>& archs) {
    const Machine& m = config.machine;
    if (m.name.empty()) top.at("name");
    if (m.vendor.empty()) top.at("vendor");
    if (m.arch.empty()) top.at("arch");
    if (m.sm_count == 0) top.at("sm_count");
    if (m.clock_mhz == 0) top.at("clock_mhz");
    if (m.ceilings.empty()) top.at("ceilings");
    const auto known = [&](const Arch& a) { return a.id == m.arch; };
    if (std::none_of(archs.begin(), archs.end(), known)) {
        std::vector<std::string> ids;
        ids.reserve(archs.size());
        for (const Arch& a : archs) ids.push_back(a.id);
        const JsonCursor where = top.has("arch") ? top.at("arch") : top;
        where.fail("there is no configs/arch/" + m.arch + ".json", "choose one of: " + join(ids, ", "));
    }
}

}  // namespace

std::vector<MachineConfig> load_machine_configs(const ConfigStore& store, const std::vector<Arch>& archs) {
    std::vector<MachineConfig> out;
    for (const std::string& path : store.list("gpus")) {
        MachineConfig config;
        const std::string stem = std::filesystem::path(path).stem().string();
        const std::vector<JsonDocument> documents = store.layered(path);
        for (const JsonDocument& document : documents) {
            const JsonCursor c = document.root();
            config.machine.id = c.at("id").string();
            if (config.machine.id != stem) c.at("id").fail("must be the file's name, \"" + stem + "\"");
            apply(c, config);
        }
        if (documents.empty()) continue;
        check_complete(documents.back().root(), config, archs);
        for (const Arch& a : archs) {
            if (a.id == config.machine.arch) config.machine.sm = a.sm;
        }
        out.push_back(std::move(config));
    }
    return out;
}

std::vector<Machine> load_machines(const ConfigStore& store) {
    std::vector<Machine> machines;
    for (MachineConfig& c : load_machine_configs(store, load_archs(store))) {
        machines.push_back(std::move(c.machine));
    }
    return machines;
}

Machine load_machine(const ConfigStore& store, const std::string& id) {
    std::vector<std::string> ids;
    for (Machine& m : load_machines(store)) {
        if (m.id == lower(id)) return std::move(m);
        ids.push_back(m.id);
    }
    throw usage_error("unknown GPU '" + id + "'" + did_you_mean(lower(id), ids),
                      "known GPUs: " + join(ids, ", ") + "; kprof list gpus shows them");
}

}  // namespace kprof
