// What every section of the text shares: the width, the character set, the colours. Text is made safe and, if
// asked, ASCII *before* it is laid out ("≥" becomes two columns), and coloured after it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace kprof {

using Lines = std::vector<std::string>;
void append(Lines& to, const Lines& more);

class Pen {
  public:
    explicit Pen(const TextOptions& o);

    std::size_t width() const { return width_; }
    bool verbose() const { return options_.verbosity > 0; }
    const TextOptions& options() const { return options_; }

    // Foreign bytes made printable, in the character set of the output.
    std::string text(std::string_view raw) const;
    std::string dash() const { return text("–"); }
    std::string separator() const { return " " + text("·") + " "; }
    std::string cut(std::string_view shown, std::size_t width) const;

    std::string bold(const std::string& s) const { return paint(s, "1"); }
    std::string dim(const std::string& s) const { return paint(s, "2"); }
    std::string red(const std::string& s) const { return paint(s, "31"); }
    std::string green(const std::string& s) const { return paint(s, "32"); }
    std::string yellow(const std::string& s) const { return paint(s, "33"); }

    // `first` starts the first line, as many spaces start the others; at most `max_lines` (0: all), the last
    // then ends with an ellipsis. `shown` has passed text().
    Lines paragraph(const std::string& first, const std::string& shown, std::size_t max_lines = 0) const;
    // Items joined by " · ", broken between items; an item longer than a line is broken at its spaces.
    Lines flow(const std::string& first, const std::vector<std::string>& items) const;
    // A command on lines of its own; a long one continues with a backslash, so that it can still be pasted.
    Lines command(const std::string& indent, const std::string& shown) const;

  private:
    std::string paint(const std::string& s, const char* code) const;
    std::size_t room(std::size_t used) const;

    const TextOptions& options_;
    std::size_t width_;
};

// A table whose columns are as wide as their content: numbers are never cut. One that is too wide for the
// output is written a paragraph a row. Cells have passed Pen::text().
struct TableColumn {
    std::string title;
    bool right = false;   // numbers
    bool shrink = false;  // may be cut with an ellipsis when the table is wider than the output
};
// One line for the titles, one a row. A row shorter than the columns is padded with empty cells.
Lines table(const Pen& pen, const std::string& indent, const std::vector<TableColumn>& columns,
            const std::vector<std::vector<std::string>>& rows);

}  // namespace kprof
