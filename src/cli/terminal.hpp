// What the terminal is: width, colour, and a progress line that exists on terminals only.
#pragma once

#include <string>

namespace kprof::cli {

int terminal_width();  // of stdout; 80 where it is no terminal; at least 60, at most 160
bool stdout_is_terminal();
// `choice`: auto | always | never. auto: stdout is a terminal, NO_COLOR is unset or empty, TERM is not
// "dumb".
bool use_colour(const std::string& choice);
// LANG/LC_ALL/LC_CTYPE say something other than UTF-8 (unset counts as UTF-8 capable: containers rarely set
// it).
bool locale_is_ascii();

// Overwrites one line of stderr; nothing where stderr is no terminal. The destructor clears it.
class Progress {
  public:
    explicit Progress(bool wanted);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void show(const std::string& text);
    void clear();

  private:
    bool on_ = false, drawn_ = false;
};

// Lines on stderr, in one form: "kprof: ...", then the hint indented.
void warn(const std::string& text);
void print_error(const std::string& what, const std::string& hint);

}  // namespace kprof::cli
