// One line a kernel: the table after a ladder, a sweep or a captured program.
#include <algorithm>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"
#include "report/series.hpp"
#include "report/summary_cells.hpp"

namespace kprof {

bool judged(const Analysed& a) {
    return a.diagnosis.status != "wrong_result" && a.profile.failure.empty();
}

std::string rate_text(const Analysed& a) {
    if (!judged(a)) return "–";
    const RooflinePoint* point = main_point(a.placement);
    if (point == nullptr) {
        const KernelProfile& p = a.profile;
        if (!p.work || p.work->flops <= 0 || !p.time.ok() || p.time.value <= 0) return "–";
        return format_flops(p.work->flops / (p.time.value * 1e-9));
    }
    if (point->performance > 0) return format_flops(point->performance);
    // Bytes that had to be moved: what is moved in excess is no rate.
    const KernelProfile& p = a.profile;
    if (p.work && p.work->min_bytes > 0 && p.time.ok() && p.time.value > 0)
        return format_bandwidth(p.work->min_bytes / (p.time.value * 1e-9));
    return point->bandwidth_roof > 0 ? format_bandwidth(point->fraction * point->bandwidth_roof) : "–";
}

std::string roof_text(const Analysed& a) {
    if (!judged(a)) return "–";
    const RooflinePoint* point = main_point(a.placement);
    if (point == nullptr) return "–";
    return format_share(point->fraction) + " " + binding_roof(*point);
}

std::string leading_text(const Analysed& a) {
    const Diagnosis& d = a.diagnosis;
    if (!a.profile.failure.empty()) return "not measured";
    if (d.status == "wrong_result") return "WRONG RESULT";
    if (!d.rule.empty()) return d.rule;
    if (d.at_limit) return "at limit: " + *d.at_limit;
    if (d.status == "ok") return "–";
    std::string status = d.status;
    std::replace(status.begin(), status.end(), '_', ' ');
    return status;
}

std::string gain_text(const Analysed& a) {
    if (!judged(a)) return "–";
    for (const Finding& f : a.diagnosis.findings) {
        if (f.rule == a.diagnosis.rule && f.gain) return format_factor(*f.gain);
    }
    return "–";
}

namespace {

std::string kernel_name(const KernelProfile& p) {
    const std::string ours = name_of(p.kernel);
    if (!ours.empty()) return ours;
    return p.kernel.short_name.empty() ? p.kernel.name
                                       : p.kernel.short_name;  // the short form of a template name
}

}  // namespace

namespace {

// A column that says the same of every kernel is said once, above the table.
struct Varying {
    bool varies = false;
    std::string common;
};

template <typename Get>
Varying varying(const Report& r, Get get) {
    Varying v;
    if (!r.kernels.empty()) v.common = get(r.kernels.front().profile);
    v.varies = r.kernels.size() == 1 && !v.common.empty();
    for (const Analysed& a : r.kernels) v.varies = v.varies || get(a.profile) != v.common;
    return v;
}

std::string dtype_of(const KernelProfile& p) {
    return p.kernel.dtype;
}
std::string shape_of(const KernelProfile& p) {
    return p.kernel.shape.extents.empty() ? std::string() : to_string(p.kernel.shape);
}

}  // namespace

Lines failure_lines(const Analysed& a, const Pen& pen) {
    std::string why = a.profile.failure;
    if (why.empty() && a.diagnosis.status == "wrong_result") why = a.diagnosis.verdict;
    if (why.empty()) return {};
    Lines lines = pen.paragraph("! ", title_of(a.profile, pen) + ": " + pen.text(why));
    for (std::string& line : lines) line = pen.red(line);
    return lines;
}

std::string text_summary(const Report& r, const TextOptions& o) {
    if (r.series) return text_series(r, o);
    const Pen pen(o);
    const Varying dtype = varying(r, dtype_of), shape = varying(r, shape_of);
    std::vector<TableColumn> columns{{"kernel", false, true}};
    if (dtype.varies) columns.push_back({"dtype"});
    if (shape.varies) columns.push_back({"shape", false, true});
    columns.insert(
        columns.end(),
        {{"time", true}, {"rate", true}, {"of roof", true}, {"change first", false, true}, {"gain", true}});
    std::vector<std::vector<std::string>> rows;
    Lines failures;
    const auto or_dash = [](const std::string& s) { return s.empty() ? std::string("–") : s; };
    for (const Analysed& a : r.kernels) {
        const KernelProfile& p = a.profile;
        std::vector<std::string> row{kernel_name(p)};
        if (dtype.varies) row.push_back(or_dash(dtype_of(p)));
        if (shape.varies) row.push_back(or_dash(shape_of(p)));
        row.push_back(p.time.ok() ? format_time_ns(p.time.value) : "–");
        for (const auto& cell : {rate_text(a), roof_text(a), leading_text(a), gain_text(a)})
            row.push_back(cell);
        for (std::string& cell : row) cell = pen.text(cell);
        rows.push_back(std::move(row));
        append(failures, failure_lines(a, pen));
    }
    std::vector<std::string> common;
    if (!dtype.varies && !dtype.common.empty()) common.push_back(pen.text(dtype.common));
    if (!shape.varies && !shape.common.empty()) common.push_back(pen.text(shape.common));
    Lines lines;
    if (!common.empty()) lines.push_back(pen.bold("all kernels: " + join(common, pen.separator())));
    append(lines, table(pen, "", columns, rows));
    append(lines, failures);
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

}  // namespace kprof
