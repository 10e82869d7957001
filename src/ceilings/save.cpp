#include "ceilings/save.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/output_file.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

namespace fs = std::filesystem;

Json sourced(const Json& value) {
    return {{"value", value}, {"mark", "V"}, {"source", "read from the device"}};
}

Json ceiling_json(const Ceiling& c) {
    Json out{{"kind", c.kind},     {"name", c.name}, {"value", c.value},  {"unit", c.unit},
             {"origin", c.origin}, {"mark", c.mark}, {"source", c.source}};
    if (!c.pipe.empty()) out["pipe"] = c.pipe;
    if (c.clock_mhz > 0) out["clock_mhz"] = c.clock_mhz;
    return out;
}

void put_described(Json& out, const Machine& m, const std::string& device_name) {
    out["name"] = m.name;
    out["vendor"] = m.vendor;
    out["arch"] = m.arch;
    out["chip"] = m.chip;
    out["match"] = {device_name};
    out["sm_count"] = sourced(m.sm_count);
    out["clock_mhz"] = sourced(m.clock_mhz);
    if (m.memory_bytes > 0) out["memory_bytes"] = sourced(m.memory_bytes);
    if (m.l2_bytes > 0) out["l2_bytes"] = sourced(m.l2_bytes);
    out["ceilings"] = Json::array();
    for (const Ceiling& c : m.ceilings) out["ceilings"].push_back(ceiling_json(c));
    out["notes"] = m.notes;
}

// Why a described machine makes no config that could be loaded again; empty: it does.
std::string not_describable(const Machine& m) {
    if (m.arch.empty()) return "its architecture is in no file of configs/arch";
    if (m.clock_mhz <= 0 || m.sm_count <= 0) return "the driver does not tell its clock or its SMs";
    return m.ceilings.empty() ? "no published roof of it is known" : "";
}

}  // namespace

MeasuredSection merge_measured(const MeasuredSection& before, const MeasuredSection& now, bool* dropped) {
    MeasuredSection out = now;
    const auto suspect = [](const Ceiling& c) { return c.suspect; };
    out.ceilings.erase(std::remove_if(out.ceilings.begin(), out.ceilings.end(), suspect), out.ceilings.end());
    const bool same_place = before.gpu == now.gpu && before.driver == now.driver;
    if (dropped != nullptr) *dropped = !before.empty() && !same_place;
    if (!same_place) return out;
    for (const Ceiling& old : before.ceilings) {
        const auto again = [&](const Ceiling& c) { return same_measurement(c, old); };
        if (std::none_of(now.ceilings.begin(), now.ceilings.end(), again)) out.ceilings.push_back(old);
    }
    if (!out.launch.host_ns) out.launch.host_ns = before.launch.host_ns;
    if (!out.launch.stream_ns) out.launch.stream_ns = before.launch.stream_ns;
    if (!out.launch.graph_node_ns) out.launch.graph_node_ns = before.launch.graph_node_ns;
    if (!out.launch.graph_host_ns) out.launch.graph_host_ns = before.launch.graph_host_ns;
    for (const WorkingSet& old : before.working_sets) {
        const auto again = [&](const WorkingSet& w) { return w.access == old.access; };
        if (std::none_of(now.working_sets.begin(), now.working_sets.end(), again))
            out.working_sets.push_back(old);
    }
    return out;
}

std::string config_id(const std::string& device_name) {
    std::string id;
    for (const char c : lower(device_name)) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (word) {
            id += c;
        } else if (!id.empty() && id.back() != '-') {
            id += '-';
        }
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id.empty() ? "gpu" : id;
}

Json overlay_json(const Machine& machine, const Json& existing, const MeasuredSection& section,
                  const std::string& device_name) {
    Json out = existing.is_object() ? existing : Json::object();
    if (machine.described) {
        out["id"] = config_id(device_name);
        put_described(out, machine, device_name);
    } else {
        out["id"] = machine.id;
    }
    out["measured"] = measured_json(section);
    return out;
}

SavedCeilings save_ceilings(const std::string& folder, const Machine& machine, const MeasuredSection& section,
                            const std::string& device_name) {
    SavedCeilings out;
    if (folder.empty()) {
        out.notes.emplace_back("not saved: neither XDG_CONFIG_HOME nor HOME is set");
        return out;
    }
    if (machine.described) {
        const std::string why = not_describable(machine);
        if (!why.empty()) {
            out.notes.push_back("not saved: no config describes this GPU, and none can be made: " + why);
            return out;
        }
    }
    const fs::path file =
        fs::path(folder) / "gpus" / ((machine.described ? config_id(device_name) : machine.id) + ".json");
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error)
        throw usage_error("cannot make the folder '" + file.parent_path().string() + "': " + error.message(),
                          "--no-save measures without saving; --json FILE keeps the numbers");
    Json existing;
    MeasuredSection before;
    if (fs::exists(file, error)) {
        const std::string text = read_file(file.string());
        const JsonDocument document(text, file.string());
        existing = document.root().raw();
        if (document.root().has("measured")) before = read_measured(document.root().at("measured"));
        if (!Json::accept(text)) {  // has comments
            OutputFile(file.string() + ".bak").commit(text);
            out.notes.push_back("comments are not kept: the file as it was is " + file.string() + ".bak");
        }
    }
    bool dropped = false;
    const MeasuredSection merged = merge_measured(before, section, &dropped);
    if (dropped)
        out.notes.push_back("roofs measured before on " + before.gpu + " (driver " + before.driver +
                            ") were replaced");
    if (merged.empty()) {
        out.notes.emplace_back("not saved: nothing usable was measured");
        return out;
    }
    OutputFile(file.string()).commit(overlay_json(machine, existing, merged, device_name).dump(2) + "\n");
    out.path = file.string();
    return out;
}

}  // namespace kprof
