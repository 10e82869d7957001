// A grid of terminal cells. Every cell remembers what owns it, so that text never overwrites text or a point.
#pragma once

#include <string>
#include <vector>

namespace kprof {

enum class Ink { none, axis, faint, roof, label, point, alarm };

class Canvas {
  public:
    Canvas(int width, int height);
    int width() const { return width_; }
    int height() const { return height_; }

    // Draws one character (UTF-8). Lines give way to what is already there; points overwrite lines.
    void put(int column, int row, const std::string& glyph, Ink ink);
    // Writes text when all its cells (and one on each side) are free of text and points. `over_lines` lets it
    // cover lines; else those cells must be empty too. False when there is no room.
    bool write(int column, int row, const std::string& text, Ink ink, bool over_lines);
    bool is_free(int column, int row) const;  // neither text nor a point, and inside
    bool is_empty(int column, int row) const;

    // Rows without trailing spaces; ANSI colours only when `colour`.
    std::string row(int index, bool colour) const;

  private:
    struct Cell {
        std::string glyph = " ";
        Ink ink = Ink::none;
    };
    bool inside(int column, int row) const;
    const Cell& at(int column, int row) const;
    Cell& at(int column, int row);

    int width_, height_;
    std::vector<Cell> cells_;
};

// Text in an ink's colour; the text itself when `colour` is off.
std::string in_ink(const std::string& text, Ink ink, bool colour);

}  // namespace kprof
