// Ctrl-C and SIGTERM: the first asks for a clean end (what was measured is kept), the second ends at once.
#pragma once

namespace kprof::cli {

void catch_interrupts();
bool interrupted();

}  // namespace kprof::cli
