#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

namespace kprof::cli {

namespace {

volatile sig_atomic_t g_seen = 0;

void on_signal(int number) {
    if (g_seen != 0) _exit(128 + number);
    g_seen = 1;
    static const char text[] = "\nkprof: ending; what was measured is kept (again to end at once)\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof(text) - 1);
}

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // A closed pipe is an error of write(), which says so, and no silent death.
    signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
    return g_seen != 0;
}

}  // namespace kprof::cli
