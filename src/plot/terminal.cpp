// Draws a scene with characters. Order is what makes it legible: points first, then labels, then lines
// around them.
#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "plot/canvas.hpp"
#include "plot/label.hpp"
#include "plot/scene.hpp"

namespace kprof {
namespace {

constexpr int left = 8;  // columns of the y labels and the axis

struct Glyphs {
    std::string slope, slope_faint, flat, flat_faint, point, other, what_if, ridge, alarm = "!";
    std::string axis, tick_y, corner, floor, tick_x;
};

const Glyphs& glyphs_for(bool ascii) {
    static const Glyphs plain{"/", ".", "-", ".", "*", "o", "?", "+", "!", "|", "+", "+", "-", "+"};
    static const Glyphs boxes{"╱", "·", "─", "┄", "●", "○", "◇", "◆", "!", "│", "┤", "└", "─", "┬"};
    return ascii ? plain : boxes;
}

class Drawing {
  public:
    Drawing(const RooflineScene& scene, const TerminalStyle& style)
        : scene_(scene),
          style_(style),
          g_(glyphs_for(style.ascii)),
          canvas_(std::max(style.width, 40) - left, std::max(style.height, 5)) {}

    std::vector<std::string> lines() {
        draw_points();
        draw_ridges();
        for (const SceneRoof& r : scene_.roofs) {
            if (r.horizontal) label_flat(r);
        }
        mark_slopes();
        for (const SceneRoof& r : scene_.roofs) {
            if (!r.horizontal) label_slope(r);
        }
        for (const SceneRoof& r : scene_.roofs) draw_roof(r);

        std::vector<std::string> out{" " + scene_.y_title};
        const std::vector<std::string> labels = y_labels();
        for (int row = 0; row < canvas_.height(); ++row) {
            const std::string& label = labels[static_cast<std::size_t>(row)];
            const std::string edge = label.empty() ? g_.axis : g_.tick_y;
            const std::string axis = in_ink(pad_left(label, left - 2) + " " + edge, Ink::axis, style_.colour);
            out.push_back(axis + canvas_.row(row, style_.colour));
        }
        add_x_axis(out);
        add_legend(out);
        return out;
    }

  private:
    int column(double intensity) const {
        return static_cast<int>(std::lround(scene_.x.to_unit(intensity) * (canvas_.width() - 1)));
    }
    int row(double performance) const {
        const int top = canvas_.height() - 1;
        return top - static_cast<int>(std::lround(scene_.y.to_unit(performance) * top));
    }
    double intensity_at(int c) const {
        return scene_.x.low *
               std::pow(scene_.x.high / scene_.x.low, static_cast<double>(c) / (canvas_.width() - 1));
    }

    std::string glyph_of(std::size_t index) const {
        const ScenePoint& p = scene_.points[index];
        if (!p.number.empty()) return p.number;
        if (p.above_roof) return g_.alarm;
        if (p.what_if) return g_.what_if;
        return p.main ? g_.point : g_.other;
    }

    static bool drawable(const ScenePoint& p) { return p.intensity > 0 && p.performance > 0; }

    void draw_points() {
        for (const bool main : {true, false}) {
            for (std::size_t i = 0; i < scene_.points.size(); ++i) {
                const ScenePoint& p = scene_.points[i];
                if (p.main != main || !drawable(p)) continue;
                note_hidden(i);
                canvas_.put(column(p.intensity), row(p.performance), glyph_of(i),
                            p.above_roof ? Ink::alarm : Ink::point);
            }
        }
    }

    // A number whose cell another has taken is told in the legend: "7 under 3".
    void note_hidden(std::size_t index) {
        const ScenePoint& p = scene_.points[index];
        if (p.number.empty()) return;
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            const ScenePoint& o = scene_.points[earlier];
            if (o.number.empty() || !drawable(o) || column(o.intensity) != column(p.intensity) ||
                row(o.performance) != row(p.performance)) {
                continue;
            }
            hidden_.push_back(p.number + " under " + o.number);
            return;
        }
    }

    // The ridge of the kernel's own roof. An overview of a machine has several: none is marked there.
    const SceneRoof* ridge() const {
        const SceneRoof* found = nullptr;
        for (const SceneRoof& r : scene_.roofs) {
            if (!r.horizontal || !r.main || r.from_intensity <= 0) continue;
            if (found) return nullptr;
            found = &r;
        }
        return found;
    }
    void draw_ridges() {
        if (const SceneRoof* r = ridge()) {
            canvas_.put(column(r->from_intensity), row(r->value), g_.ridge, Ink::label);
        }
    }

    // At the right end of its line, else above that end. When two roofs share a row, the first (the kernel's
    // own) keeps it, and the other is named under the plot.
    void label_flat(const SceneRoof& r) {
        const int start = canvas_.width() - static_cast<int>(display_width(r.label));
        const int own = row(r.value);
        const auto rows_taken = [&](int at) {
            return std::count_if(scene_.roofs.begin(), scene_.roofs.end(),
                                 [&](const SceneRoof& o) { return o.horizontal && row(o.value) == at; });
        };
        const bool first = std::find(flat_rows_.begin(), flat_rows_.end(), own) == flat_rows_.end();
        flat_rows_.push_back(own);
        if (first && canvas_.write(start, own, r.label, Ink::label, true)) return;
        if (first && rows_taken(own - 1) == 0 && canvas_.write(start, own - 1, r.label, Ink::label, false))
            return;
        unlabelled_.push_back(r.label);
    }

    // Columns of a bandwidth roof, as rows; -1 where it is below the axis or above the highest roof.
    std::vector<int> slope_rows(const SceneRoof& r) const {
        double top = 0;
        for (const SceneRoof& o : scene_.roofs) {
            if (o.horizontal) top = std::max(top, o.value);
        }
        if (top <= 0) top = scene_.y.high;
        std::vector<int> rows(static_cast<std::size_t>(canvas_.width()), -1);
        for (int c = 0; c < canvas_.width(); ++c) {
            const double value = r.value * intensity_at(c);
            if (value >= scene_.y.low && value <= top) rows[static_cast<std::size_t>(c)] = row(value);
        }
        return rows;
    }

    // Slopes are known before their labels are set, so that a label never breaks another's line.
    void mark_slopes() {
        for (const SceneRoof& r : scene_.roofs) {
            if (!r.horizontal) slopes_.push_back(slope_rows(r));
        }
    }
    bool on_a_line(int from, int to, int at_row) const {
        for (const std::vector<int>& rows : slopes_) {
            for (int c = std::max(from, 0); c <= std::min(to, canvas_.width() - 1); ++c) {
                if (rows[static_cast<std::size_t>(c)] == at_row) return true;
            }
        }
        for (const SceneRoof& o : scene_.roofs) {
            if (o.horizontal && row(o.value) == at_row && column(o.from_intensity) <= to) return true;
        }
        return false;
    }

    // Beside the line, in the first row with room from a third of its height on: the lowest bandwidth right
    // of its line, the others left of theirs, so that no label stands between two lines.
    void label_slope(const SceneRoof& r) {
        struct Run {
            int row, first, last;
        };
        const std::vector<int> rows = slope_rows(r);
        std::vector<Run> runs;
        for (int c = 0; c < canvas_.width(); ++c) {
            const int at = rows[static_cast<std::size_t>(c)];
            if (at < 0) continue;
            if (runs.empty() || runs.back().row != at) runs.push_back({at, c, c});
            runs.back().last = c;
        }
        const bool lowest = std::none_of(scene_.roofs.begin(), scene_.roofs.end(), [&](const SceneRoof& o) {
            return !o.horizontal && o.value < r.value;
        });
        const int length = static_cast<int>(display_width(r.label));
        for (const bool right : {lowest, !lowest}) {
            const std::size_t start = right ? runs.size() / 3 : runs.size() * 2 / 3;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const Run& run = runs[(start + i) % runs.size()];
                const int from = right ? run.last + 3 : run.first - 2 - length;
                if (on_a_line(from - 1, from + length, run.row)) continue;
                if (canvas_.write(from, run.row, r.label, Ink::label, false)) return;
            }
        }
        unlabelled_.push_back(r.label);
    }

    void draw_roof(const SceneRoof& r) {
        const Ink ink = r.main ? Ink::roof : Ink::faint;
        if (r.horizontal) {
            for (int c = column(r.from_intensity); c < canvas_.width(); ++c) {
                canvas_.put(c, row(r.value), r.main ? g_.flat : g_.flat_faint, ink);
            }
            return;
        }
        const std::vector<int> rows = slope_rows(r);
        for (int c = 0; c < canvas_.width(); ++c) {
            const int at = rows[static_cast<std::size_t>(c)];
            if (at >= 0) canvas_.put(c, at, r.main ? g_.slope : g_.slope_faint, ink);
        }
    }

    std::vector<std::string> y_labels() const {
        std::vector<std::string> labels(static_cast<std::size_t>(canvas_.height()));
        for (const double d : scene_.y.decades()) labels[static_cast<std::size_t>(row(d))] = short_si(d);
        return labels;
    }

    void add_x_axis(std::vector<std::string>& out) const {
        Canvas axis(canvas_.width(), 1), labels(canvas_.width(), 1);
        // The title has its place at the right end of the label row; decades under it go without a number.
        const std::string& title = scene_.x_title;
        labels.write(labels.width() - static_cast<int>(display_width(title)), 0, title, Ink::label, false);
        for (const double d : scene_.x.decades()) {
            const int at = column(d);
            axis.put(at, 0, g_.tick_x, Ink::label);
            const std::string text = short_si(d);
            labels.write(std::max(at - static_cast<int>(display_width(text)) / 2, 0), 0, text, Ink::label,
                         false);
        }
        for (int c = 0; c < axis.width(); ++c) axis.put(c, 0, g_.floor, Ink::axis);
        const std::string corner = in_ink(std::string(left - 1, ' ') + g_.corner, Ink::axis, style_.colour);
        out.push_back(corner + axis.row(0, false));
        out.push_back(std::string(left, ' ') + labels.row(0, false));
    }

    void add_legend(std::vector<std::string>& out) const {
        std::vector<std::pair<std::string, Ink>> items;
        for (std::size_t i = 0; i < scene_.points.size(); ++i) {
            const ScenePoint& p = scene_.points[i];
            if (p.label.empty() && !p.above_roof) continue;
            std::string text = drawable(p) ? glyph_of(i) + " " + p.label : p.label;
            if (p.above_roof) text += " above its roof";
            items.emplace_back(text, p.above_roof ? Ink::alarm : Ink::label);
        }
        if (const SceneRoof* r = ridge()) {
            items.emplace_back(g_.ridge + " ridge " + short_si(r->from_intensity) + " FLOP/B", Ink::label);
        }
        if (!hidden_.empty()) items.emplace_back(join(hidden_, ", "), Ink::label);
        if (!unlabelled_.empty()) items.emplace_back("also " + join(unlabelled_, ", "), Ink::label);

        const std::size_t width = static_cast<std::size_t>(canvas_.width());
        std::string line;
        std::size_t used = 0;
        const auto flush = [&] {
            if (!line.empty()) out.push_back(std::string(left, ' ') + line);
            line.clear();
            used = 0;
        };
        for (const auto& [text, ink] : items) {
            for (const std::string& part : wrap(style_.ascii ? to_ascii(text) : text, width)) {
                const std::size_t wide = display_width(part);
                if (used > 0 && used + 3 + wide > width) flush();
                line += (used > 0 ? "   " : "") + in_ink(part, ink, style_.colour);
                used += wide + (used > 0 ? 3 : 0);
            }
        }
        flush();
    }

    const RooflineScene& scene_;
    const TerminalStyle& style_;
    const Glyphs& g_;
    Canvas canvas_;
    std::vector<int> flat_rows_;
    std::vector<std::vector<int>> slopes_;
    std::vector<std::string> unlabelled_, hidden_;
};

}  // namespace

std::vector<std::string> draw_terminal(const RooflineScene& scene, const TerminalStyle& style) {
    return Drawing(scene, style).lines();
}

}  // namespace kprof
