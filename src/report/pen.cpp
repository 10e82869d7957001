#include "report/pen.hpp"

#include <algorithm>

#include "core/strings.hpp"

namespace kprof {
namespace {

// Below this, columns of numbers do not fit; the lines are then longer than asked rather than unreadable.
constexpr std::size_t least_width = 40;

}  // namespace

void append(Lines& to, const Lines& more) {
    to.insert(to.end(), more.begin(), more.end());
}

Pen::Pen(const TextOptions& o)
    : options_(o), width_(std::max(least_width, static_cast<std::size_t>(std::max(o.width, 0)))) {}

std::string Pen::text(std::string_view raw) const {
    const std::string safe = printable(raw);
    return options_.ascii ? to_ascii(safe) : safe;
}

std::string Pen::cut(std::string_view shown, std::size_t width) const {
    return ellipsis(shown, width, options_.ascii);
}

std::string Pen::paint(const std::string& s, const char* code) const {
    if (!options_.colour || s.empty()) return s;
    return std::string("\x1b[") + code + "m" + s + "\x1b[0m";
}

std::size_t Pen::room(std::size_t used) const {
    return used + 8 < width_ ? width_ - used : 8;
}

Lines Pen::paragraph(const std::string& first, const std::string& shown, std::size_t max_lines) const {
    const std::size_t indent = display_width(first);
    Lines lines = wrap(shown, room(indent));
    if (lines.empty()) lines.emplace_back();
    if (max_lines > 0 && lines.size() > max_lines) {
        // The rest of the text is put back behind the last line, so that the cut shows where it happened.
        std::string& last = lines[max_lines - 1];
        for (std::size_t i = max_lines; i < lines.size(); ++i) last += " " + lines[i];
        last = cut(last, room(indent));
        lines.resize(max_lines);
    }
    const std::string hanging(indent, ' ');
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].insert(0, i == 0 ? first : hanging);
    return lines;
}

Lines Pen::flow(const std::string& first, const std::vector<std::string>& items) const {
    const std::size_t indent = display_width(first), limit = room(indent);
    Lines rows;
    std::string row;
    for (const std::string& item : items) {
        if (item.empty()) continue;
        const std::string joined = row.empty() ? item : row + separator() + item;
        if (display_width(joined) <= limit) {
            row = joined;
            continue;
        }
        if (!row.empty()) rows.push_back(row);
        Lines pieces = wrap(item, limit);
        row = pieces.empty() ? std::string() : pieces.back();
        if (!pieces.empty()) pieces.pop_back();
        append(rows, pieces);
    }
    if (!row.empty()) rows.push_back(row);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].insert(0, i == 0 ? first : std::string(indent, ' '));
    return rows;
}

Lines Pen::command(const std::string& indent, const std::string& shown) const {
    const std::size_t limit = room(display_width(indent));
    if (display_width(shown) <= limit) return {indent + shown};
    Lines lines = wrap(shown, limit - 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i] = indent + lines[i] + (i + 1 < lines.size() ? " \\" : "");
    }
    return lines;
}

namespace {

// A table wider than the output: a paragraph a row, with the titles before the values.
Lines stacked(const Pen& pen, const std::string& indent, const std::vector<TableColumn>& columns,
              const std::vector<std::vector<std::string>>& rows) {
    Lines lines;
    for (const auto& row : rows) {
        std::vector<std::string> items;
        for (std::size_t c = 0; c < std::min(columns.size(), row.size()); ++c) {
            items.push_back(c == 0 ? row[c] : columns[c].title + " " + row[c]);
        }
        append(lines, pen.flow(indent + "  ", items));
    }
    return lines;
}

}  // namespace

Lines table(const Pen& pen, const std::string& indent, const std::vector<TableColumn>& columns,
            const std::vector<std::vector<std::string>>& rows) {
    constexpr std::size_t gap = 2, least_shrunk = 12;
    const auto cell = [](const std::vector<std::string>& row, std::size_t c) {
        return c < row.size() ? row[c] : std::string();
    };
    std::vector<std::size_t> widths;
    std::size_t total = display_width(indent);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        std::size_t w = display_width(columns[c].title);
        for (const auto& row : rows) w = std::max(w, display_width(cell(row, c)));
        widths.push_back(w);
        total += w + (c > 0 ? gap : 0);
    }
    // The widest column gives way first, a column at a time.
    for (; total > pen.width(); --total) {
        std::size_t widest = columns.size();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::size_t least = std::max(least_shrunk, display_width(columns[c].title));
            if (!columns[c].shrink || widths[c] <= least) continue;
            if (widest == columns.size() || widths[c] > widths[widest]) widest = c;
        }
        if (widest == columns.size()) break;
        --widths[widest];
    }
    if (total > pen.width()) return stacked(pen, indent, columns, rows);
    const auto line = [&](const auto& at) {
        std::string out = indent;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::string shown = pen.cut(at(c), widths[c]);
            if (c > 0) out += std::string(gap, ' ');
            out += columns[c].right ? pad_left(shown, widths[c]) : pad_right(shown, widths[c]);
        }
        out.erase(out.find_last_not_of(' ') + 1);
        return out;
    };
    Lines lines{pen.dim(line([&](std::size_t c) { return columns[c].title; }))};
    for (const auto& row : rows) lines.push_back(line([&](std::size_t c) { return cell(row, c); }));
    return lines;
}

}  // namespace kprof
