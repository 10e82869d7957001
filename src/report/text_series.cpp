// The text of a series: one table, all points on one roofline.
#include <algorithm>
#include <set>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"
#include "report/series.hpp"
#include "report/summary_cells.hpp"

namespace kprof {
namespace {

using Row = std::vector<std::string>;

std::string factor_or_dash(const std::optional<double>& factor) {
    return factor ? format_factor(*factor) : std::string("–");
}

// More numbers than this hide each other.
constexpr std::size_t most_points = 35;

std::string time_text(const Analysed& a) {
    return a.profile.time.ok() ? format_time_ns(a.profile.time.value) : "–";
}

std::string number_of(std::size_t row) {
    return point_number(row);
}

// "at limit: dram", "coalescing ×3.1", "WRONG RESULT".
std::string verdict_text(const Analysed& a) {
    const std::string gain = gain_text(a);
    return leading_text(a) + (gain == "–" ? "" : " " + gain);
}

// Narrow outputs go without the rate and the mended variant: they follow from the other columns.
constexpr std::size_t ladder_width = 100;

void ladder_rows(const Report& r, bool wide, std::vector<TableColumn>& columns, std::vector<Row>& rows) {
    columns = {{""}, {"variant", false, true}, {"dtype"}, {"time", true}};
    if (wide) columns.push_back({"rate", true});
    columns.insert(columns.end(), {{"of roof", true}, {"gain", true}});
    if (wide) columns.push_back({"mends", false, true});
    columns.push_back({"change first", false, true});
    for (std::size_t i = 0; i < r.kernels.size(); ++i) {
        const Analysed& a = r.kernels[i];
        const SeriesRow& s = r.series->rows[i];
        Row row{number_of(i), s.label, a.profile.kernel.dtype, time_text(a)};
        if (wide) row.push_back(rate_text(a));
        row.push_back(roof_text(a));
        row.push_back(factor_or_dash(gain_over_before(r, i)));
        const auto mended = gain_over_mended(r, i);
        if (wide) row.push_back(mended ? s.mends + " " + format_factor(*mended) : "–");
        row.push_back(verdict_text(a));
        rows.push_back(std::move(row));
    }
}

void sweep_rows(const Report& r, std::vector<TableColumn>& columns, std::vector<Row>& rows) {
    columns = {{""},
               {"shape", false, true},
               {"time", true},
               {"at best", true},
               {"rate", true},
               {"of roof", true},
               {"DRAM", true},
               {"L2 hit", true},
               {"change first", false, true}};
    const auto metric = [](const Analysed& a, const char* id) -> std::string {
        const auto found = a.metrics.find(id);
        return found != a.metrics.end() && found->second.ok()
                   ? format_value(found->second.value, found->second.unit)
                   : "–";
    };
    for (std::size_t i = 0; i < r.kernels.size(); ++i) {
        const Analysed& a = r.kernels[i];
        const auto least = roof_time_ns(a);
        rows.push_back({number_of(i), r.series->rows[i].label, time_text(a),
                        least ? format_time_ns(*least) : std::string("–"), rate_text(a), roof_text(a),
                        metric(a, "dram_bandwidth"), metric(a, "l2_hit_rate"), verdict_text(a)});
    }
}

// Kernels and shapes stand in the table where it is wide enough, else under it.
constexpr std::size_t layer_width = 120;

std::string kernel_and_shape(const Analysed& a) {
    return a.profile.kernel.family + "/" + a.profile.kernel.variant + " " + to_string(a.profile.kernel.shape);
}

void layer_rows(const Report& r, bool wide, std::vector<TableColumn>& columns, std::vector<Row>& rows) {
    columns = {{""}, {"part of the layer", false, true}};
    if (wide) columns.push_back({"kernel and shape", false, true});
    columns.insert(
        columns.end(),
        {{"times", true}, {"time", true}, {"at best", true}, {"share", true}, {"of roof", true}, {"bound"}});
    double time = 0, roof = 0;
    bool whole = r.series->left_out.empty(), placed = whole;
    for (std::size_t i = 0; i < r.kernels.size(); ++i) {
        const Analysed& a = r.kernels[i];
        const SeriesRow& s = r.series->rows[i];
        const auto share = share_of(r, i), least = roof_time_ns(a);
        const std::string bound = layer_bound(a, r.series->launch_ns);
        const bool timed = a.profile.time.ok();
        Row row{number_of(i), s.label};
        if (wide) row.push_back(kernel_and_shape(a));
        for (const std::string& cell :
             {format_count(s.count),
              timed ? format_time_ns(a.profile.time.value * s.count) : std::string("–"),
              least ? format_time_ns(*least * s.count) : std::string("–"),
              share ? format_share(*share) : std::string("–"),
              timed && least ? format_share(*least / a.profile.time.value) : std::string("–"),
              bound.empty() ? std::string("–") : bound}) {
            row.push_back(cell);
        }
        rows.push_back(std::move(row));
        whole = whole && timed && least;
        placed = placed && least;
        if (timed) time += a.profile.time.value * s.count;
        if (least) roof += *least * s.count;
    }
    // A sum that lacks a part is no sum.
    Row sum{"", "the layer"};
    if (wide) sum.emplace_back();
    for (const std::string& cell :
         {std::string(), whole ? format_time_ns(time) : std::string("–"),
          placed ? format_time_ns(roof) : std::string("–"), std::string(whole ? "100 %" : "–"),
          whole ? format_share(roof / time) : std::string("–"), std::string()}) {
        sum.push_back(cell);
    }
    rows.push_back(std::move(sum));
}

// The points of all kernels that were placed on one machine, numbered as the rows are.
Lines common_roofline(const Report& r, const Pen& pen) {
    const Machine* machine = nullptr;
    std::vector<NumberedPoint> points;
    for (std::size_t i = 0; i < r.kernels.size(); ++i) {
        const Analysed& a = r.kernels[i];
        const RooflinePoint* point = judged(a) ? main_point(a.placement) : nullptr;
        if (point == nullptr || !a.machine || point->intensity <= 0 || point->performance <= 0) continue;
        if (machine == nullptr) machine = &*a.machine;
        if (a.machine->id == machine->id) points.push_back({number_of(i), *point});
    }
    if (machine == nullptr || points.empty()) return {};
    TerminalStyle style;
    style.width = static_cast<int>(pen.width());
    style.height = 16;
    style.ascii = pen.options().ascii;
    style.colour = pen.options().colour;
    return draw_terminal(make_common_scene(*machine, points), style);
}

Lines announcements(const Report& r, const Pen& pen) {
    Lines lines;
    std::set<std::string> said;
    for (const Analysed& a : r.kernels) {
        const std::string text = announcement(a, pen);
        if (!text.empty() && said.insert(text).second) append(lines, pen.paragraph("", text));
    }
    return lines;
}

}  // namespace

std::string text_series(const Report& r, const TextOptions& o) {
    const Pen pen(o);
    std::vector<TableColumn> columns;
    std::vector<Row> rows;
    if (r.series->kind == "ladder") ladder_rows(r, pen.width() >= ladder_width, columns, rows);
    if (r.series->kind == "sweep") sweep_rows(r, columns, rows);
    if (r.series->kind == "layer") layer_rows(r, pen.width() >= layer_width, columns, rows);
    for (Row& row : rows) {
        for (std::string& cell : row) cell = pen.text(cell);
    }
    Lines lines = announcements(r, pen);
    std::string title = r.series->title;
    if (!r.kernels.empty() && !gpu_of(r.kernels.front()).empty()) {
        title += " · " + gpu_of(r.kernels.front());
    }
    for (const std::string& line : pen.paragraph("", pen.text(title))) lines.push_back(pen.bold(line));
    append(lines, table(pen, "", columns, rows));
    for (const Analysed& a : r.kernels) append(lines, failure_lines(a, pen));
    if (r.series->kind == "layer" && pen.width() < layer_width) {
        std::vector<std::string> kernels;
        for (std::size_t i = 0; i < r.kernels.size(); ++i) {
            kernels.push_back(pen.text(number_of(i) + " " + kernel_and_shape(r.kernels[i])));
        }
        append(lines, pen.flow("kernels ", kernels));
    }
    const Lines plot = r.kernels.size() <= most_points ? common_roofline(r, pen) : Lines{};
    if (!plot.empty()) lines.emplace_back();
    append(lines, plot);
    for (const std::string& text : r.series->left_out) {
        append(lines, pen.paragraph("missing ", pen.text(text)));
    }
    for (const std::string& note : r.series->notes) append(lines, pen.paragraph("note    ", pen.text(note)));
    if (r.series->kind == "ladder") {
        const std::string more = pen.width() >= ladder_width
                                     ? "; mends: the variant whose fault this one lacks, in the same type"
                                     : "; from --width 100 on with rates, and what mends what";
        append(lines, pen.paragraph("", pen.text("gain: over the row before, of the same work" + more)));
    }
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

}  // namespace kprof
