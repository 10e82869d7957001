#include "plot/canvas.hpp"

#include <algorithm>

#include "core/strings.hpp"

namespace kprof {
namespace {

const char* escape_of(Ink ink) {
    switch (ink) {
        case Ink::axis:
        case Ink::faint:
            return "\x1b[2m";
        case Ink::roof:
            return "\x1b[36m";
        case Ink::point:
            return "\x1b[1;33m";
        case Ink::alarm:
            return "\x1b[1;31m";
        case Ink::none:
        case Ink::label:
            break;
    }
    return "";
}

bool is_line(Ink ink) {
    return ink == Ink::axis || ink == Ink::faint || ink == Ink::roof;
}

// The cells that a text takes: a UTF-8 character each, with its combining marks; behind a wide character
// stands an empty one.
std::vector<std::string> glyphs(const std::string& text) {
    std::vector<std::string> characters, out;
    for (const char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (continues && !characters.empty()) {
            characters.back() += c;
        } else {
            characters.emplace_back(1, c);
        }
    }
    for (const std::string& character : characters) {
        const std::size_t wide = display_width(character);
        if (wide == 0 && !out.empty()) {
            out.back() += character;
            continue;
        }
        out.push_back(character);
        if (wide == 2) out.emplace_back();
    }
    return out;
}

}  // namespace

std::string in_ink(const std::string& text, Ink ink, bool colour) {
    const std::string escape = colour ? escape_of(ink) : "";
    return escape.empty() ? text : escape + text + "\x1b[0m";
}

Canvas::Canvas(int width, int height)
    : width_(std::max(width, 1)),
      height_(std::max(height, 1)),
      cells_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {}

bool Canvas::inside(int column, int row) const {
    return column >= 0 && column < width_ && row >= 0 && row < height_;
}
const Canvas::Cell& Canvas::at(int column, int row) const {
    return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(column)];
}
Canvas::Cell& Canvas::at(int column, int row) {
    return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(column)];
}

bool Canvas::is_free(int column, int row) const {
    return inside(column, row) && (at(column, row).ink == Ink::none || is_line(at(column, row).ink));
}
bool Canvas::is_empty(int column, int row) const {
    return inside(column, row) && at(column, row).ink == Ink::none;
}

void Canvas::put(int column, int row, const std::string& glyph, Ink ink) {
    if (!inside(column, row)) return;
    Cell& cell = at(column, row);
    if (is_line(ink) ? cell.ink == Ink::none : is_free(column, row)) cell = {glyph, ink};
}

bool Canvas::write(int column, int row, const std::string& text, Ink ink, bool over_lines) {
    const std::vector<std::string> parts = glyphs(text);
    const int last = column + static_cast<int>(parts.size()) - 1;
    if (!inside(column, row) || !inside(last, row)) return false;
    for (int c = std::max(column - 1, 0); c <= std::min(last + 1, width_ - 1); ++c) {
        if (!(over_lines ? is_free(c, row) : is_empty(c, row))) return false;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) at(column + static_cast<int>(i), row) = {parts[i], ink};
    // A gap between a line and its label.
    if (over_lines && column > 0) at(column - 1, row) = {" ", Ink::label};
    return true;
}

std::string Canvas::row(int index, bool colour) const {
    int end = width_;
    while (end > 0 && at(end - 1, index).glyph == " ") --end;
    std::string out, run;
    Ink ink = Ink::none;
    for (int c = 0; c < end; ++c) {
        const Cell& cell = at(c, index);
        if (cell.ink != ink) {
            out += in_ink(run, ink, colour && !run.empty());
            run.clear();
            ink = cell.ink;
        }
        run += cell.glyph;
    }
    return out + in_ink(run, ink, colour && !run.empty());
}

}  // namespace kprof
