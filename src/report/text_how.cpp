// The last lines: how it was measured, and what a reader must know to trust it.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

std::string plural(int n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string verification_text(const Verification& v) {
    if (v.status == "skipped") return "result not checked";
    if (v.status == "ok" && v.error == 0.0) return "result verified (exact)";
    std::string out = v.status == "ok" ? "result verified" : "result wrong";
    if (v.error) out += fmt::format(" (error {:.1e}", *v.error);
    if (v.error && v.tolerance) out += fmt::format(", tolerance {:.1e}", *v.tolerance);
    return v.error ? out + ")" : out;
}

// Where the roofs come from that the points lie under: "roofs: DRAM measured, FP32 datasheet".
std::string roofs_text(const Analysed& a) {
    if (!a.machine) return {};
    if (a.machine->described) return "roofs derived from the driver's attributes";
    std::vector<std::string> parts;
    std::set<std::string> seen, origins;
    bool beside = false;  // a measured roof stands beside a published one
    const auto add = [&](const Ceiling* c) {
        if (c == nullptr || !seen.insert(c->kind + c->name + c->pipe).second) return;
        parts.push_back(roof_name(c->name) + " " + c->origin);
        origins.insert(c->origin);
    };
    add(a.machine->bandwidth("dram"));
    for (const RooflinePoint& p : a.placement.points) {
        beside = beside || (p.machine == a.machine->id && p.measured_fraction > 0);
        if (p.machine == a.machine->id && p.compute_roof > 0) add(a.machine->compute(p.precision, p.pipe));
    }
    if (parts.empty()) return {};
    const std::string measured = beside ? "; measured " + a.machine->measured_date : "";
    if (origins.size() == 1) return "roofs: " + *origins.begin() + " of " + a.machine->id + measured;
    return "roofs: " + join(parts, ", ") + measured;
}

std::vector<std::string> how_items(const Analysed& a, bool verbose) {
    const Provenance& p = a.profile.provenance;
    std::vector<std::string> items;
    if (p.passes > 0) items.push_back(plural(p.passes, "pass", "passes"));
    // Of a model nothing ran: there is no cache to be cold and no result to be checked.
    const bool ran = p.kind != "model";
    if (ran && !p.cache.empty()) items.push_back(p.cache + " L2");
    if (p.clock_sm_mhz) items.push_back("SM clock " + format_value(std::round(*p.clock_sm_mhz), "MHz"));
    if (!p.throttle.empty()) items.push_back("throttled: " + p.throttle);
    if (!p.driver.empty()) items.push_back("driver " + p.driver);
    if (!p.cuda.empty()) items.push_back("CUDA " + p.cuda);
    if (!p.cupti.empty()) items.push_back("CUPTI " + p.cupti);
    if (ran) items.push_back(verification_text(a.profile.verification));
    items.push_back(roofs_text(a));
    if (!p.date.empty()) items.push_back(p.date);
    if (!verbose) return items;
    if (p.power_w) items.push_back(format_value(std::round(*p.power_w), "W"));
    if (p.temperature_c) items.push_back(format_value(std::round(*p.temperature_c), "°C"));
    if (!p.stages.empty()) items.push_back("stages: " + join(p.stages, ", "));
    if (!p.kprof.empty()) items.push_back("recorded by kprof " + p.kprof);
    return items;
}

std::string launch_text(const Analysed& a) {
    const Launch& l = a.profile.launch;
    if (!l.known()) return {};
    const auto dims = [](const auto& d) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); };
    std::string out = "grid " + dims(l.grid) + ", block " + dims(l.block);
    if (l.registers) out += fmt::format(", {} registers", *l.registers);
    if (l.smem_static || l.smem_dynamic) {
        out += ", " +
               format_bytes(static_cast<double>(l.smem_static.value_or(0) + l.smem_dynamic.value_or(0))) +
               " shared";
    }
    if (a.occupancy && a.occupancy->waves > 0) out += ", " + format_value(a.occupancy->waves, "waves");
    return out;
}

// Which cache level could not be placed is a detail (-v) as long as the kernel has its point at DRAM.
// That a model has no time is what the first line says.
std::vector<std::string> placement_notes(const Analysed& a, bool verbose) {
    const Placement& placement = a.placement;
    const bool modelled = a.profile.provenance.kind == "model";
    std::vector<std::string> notes;
    for (const std::string& note : placement.notes) {
        if (modelled && !verbose && note.rfind("not placed: no time", 0) == 0) continue;
        const bool detail = note.rfind("L1: ", 0) == 0 || note.rfind("L2: ", 0) == 0;
        if (verbose || !detail || main_point(placement) == nullptr) notes.push_back(note);
    }
    return notes;
}

}  // namespace

Lines how_section(const Analysed& a, const Pen& pen) {
    std::vector<std::string> items = how_items(a, pen.verbose());
    for (std::string& item : items) item = pen.text(item);
    Lines lines;
    for (const std::string& line : pen.flow("how     ", items)) lines.push_back(pen.dim(line));
    const KernelProfile& p = a.profile;
    // Which kernel a library chose is worth a line; our own says no more than the title.
    const bool library = !name_of(p.kernel).empty() && !p.kernel.mangled.empty() &&
                         !contains(p.kernel.name, "kprof::") && p.kernel.name != name_of(p.kernel);
    if (library && !pen.verbose())
        for (const std::string& line : pen.paragraph("kernel  ", pen.text(p.kernel.name), 4))
            lines.push_back(pen.dim(line));
    if (pen.verbose()) {
        if (!p.kernel.name.empty()) append(lines, pen.paragraph("kernel  ", pen.text(p.kernel.name)));
        if (!p.kernel.mangled.empty()) append(lines, pen.paragraph("symbol  ", pen.text(p.kernel.mangled)));
        const std::string launch = launch_text(a);
        if (!launch.empty()) append(lines, pen.paragraph("launch  ", pen.text(launch)));
    }
    std::vector<std::string> notes = p.warnings;
    append(notes, placement_notes(a, pen.verbose()));
    append(notes, a.diagnosis.notes);
    std::set<std::string> said;
    for (const std::string& note : notes) {
        if (!said.insert(note).second) continue;
        for (const std::string& line : pen.paragraph("note    ", pen.text(note)))
            lines.push_back(pen.yellow(line));
    }
    return lines;
}

}  // namespace kprof
