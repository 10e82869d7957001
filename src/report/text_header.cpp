// The first lines: where the numbers come from, which kernel, what it ran on, and the verdict.
#include <algorithm>

#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

// "4096x1024" -> "4096×1024".
std::string shape_text(const Shape& shape) {
    std::string out;
    for (const char c : to_string(shape)) out += c == 'x' ? std::string("×") : std::string(1, c);
    return out;
}

// The day of an ISO date with time.
std::string day_of(const std::string& date) {
    return date.substr(0, date.find_first_of("T "));
}

std::string source_of(const Provenance& p) {
    if (p.kind != "recording" || p.date.empty()) return p.kind;
    return "recording of " + day_of(p.date);
}

}  // namespace

std::string name_of(const KernelId& k) {
    return k.family.empty() || k.variant.empty() ? k.family : k.family + " / " + k.variant;
}

std::string title_of(const KernelProfile& p, const Pen& pen) {
    const KernelId& k = p.kernel;
    // A demangled template name can fill the screen; -v prints it whole.
    const bool long_name = display_width(k.name) > pen.width() / 2 && !k.short_name.empty();
    std::string name = name_of(k);
    if (name.empty()) name = long_name || k.name.empty() ? k.short_name : k.name;
    if (name.empty()) name = k.mangled.empty() ? "(unnamed kernel)" : k.mangled;
    std::vector<std::string> parts{pen.text(name)};
    if (!k.dtype.empty()) parts.push_back(pen.text(k.dtype));
    if (!k.shape.extents.empty()) parts.push_back(pen.text(shape_text(k.shape)));
    return join(parts, pen.separator());
}

std::string gpu_of(const Analysed& a) {
    if (!a.profile.provenance.device.name.empty()) return a.profile.provenance.device.name;
    return a.machine ? a.machine->name : std::string();
}

std::string announcement(const Analysed& a, const Pen& pen, bool with_note) {
    const Provenance& from = a.profile.provenance;
    const bool recording = from.kind == "recording";
    if (!recording && from.kind != "model") return {};
    const std::string gpu = gpu_of(a);
    std::string line = recording ? "recording" : "model";
    if (recording && !from.date.empty()) line += " of " + day_of(from.date);
    if (!gpu.empty()) line += (recording ? " on " : " of ") + gpu;
    if (!recording) line += ": analytic FLOPs, bytes and occupancy; nothing was run";
    if (with_note && !pen.options().source_note.empty()) line += " (" + pen.options().source_note + ")";
    return pen.text(line);
}

Lines header_section(const Analysed& a, const Pen& pen) {
    const std::string title = title_of(a.profile, pen);
    std::vector<std::string> right_parts;
    for (const std::string& part : {gpu_of(a), source_of(a.profile.provenance)}) {
        if (!part.empty()) right_parts.push_back(pen.text(part));
    }
    const std::string right = join(right_parts, pen.separator());
    const std::size_t used = display_width(title) + display_width(right);
    Lines lines;
    if (used + 2 <= pen.width()) {
        lines.push_back(pen.bold(title) + std::string(pen.width() - used, ' ') + pen.dim(right));
    } else {
        for (const std::string& line : pen.paragraph("", title)) lines.push_back(pen.bold(line));
        for (const std::string& line : pen.paragraph("", right)) {
            const std::size_t width = display_width(line);
            lines.push_back(std::string(pen.width() - std::min(width, pen.width()), ' ') + pen.dim(line));
        }
    }
    return lines;
}

Lines verdict_section(const Analysed& a, const Pen& pen) {
    const bool wrong = a.diagnosis.status == "wrong_result";
    Lines lines;
    for (const std::string& line : pen.paragraph("", pen.text(a.diagnosis.verdict))) {
        lines.push_back(pen.bold(wrong ? pen.red(line) : line));
    }
    return lines;
}

}  // namespace kprof
