#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/strings.hpp"

namespace kprof::cli {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

int terminal_width() {
    winsize size = {};
    int columns = 80;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    return std::clamp(columns, 60, 160);
}

bool stdout_is_terminal() {
    return isatty(STDOUT_FILENO) != 0;
}

bool use_colour(const std::string& choice) {
    if (choice == "always") return true;
    if (choice == "never") return false;
    return isatty(STDOUT_FILENO) != 0 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

bool locale_is_ascii() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string value = lower(environment(name));
        if (value.empty()) continue;
        return !contains(value, "utf-8") && !contains(value, "utf8");
    }
    return false;
}

Progress::Progress(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}
Progress::~Progress() {
    clear();
}

void Progress::show(const std::string& text) {
    if (!on_) return;
    fprintf(stderr, "\r\033[K%s", ellipsis(text, 78).c_str());
    fflush(stderr);
    drawn_ = true;
}

void Progress::clear() {
    if (drawn_) fputs("\r\033[K", stderr);
    drawn_ = false;
}

void warn(const std::string& text) {
    fprintf(stderr, "kprof: %s\n", text.c_str());
}

void print_error(const std::string& what, const std::string& hint) {
    fprintf(stderr, "kprof: %s\n", what.c_str());
    for (const std::string& line : split(hint, '\n')) fprintf(stderr, "  %s\n", line.c_str());
}

}  // namespace kprof::cli
