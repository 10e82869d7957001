// Cells that the tables of several kernels share.
#pragma once

#include <string>

#include "report/pen.hpp"
#include "report/report.hpp"

namespace kprof {

// How fast a wrong result was reached, or what an aborted measurement saw, means nothing.
bool judged(const Analysed& a);
// FLOP/s where the kernel has arithmetic, else the bandwidth it reached; a dash when neither is known.
std::string rate_text(const Analysed& a);
// "80 % BF16".
std::string roof_text(const Analysed& a);
// The leading rule, the roof it is at, or why there is no verdict.
std::string leading_text(const Analysed& a);
// The expected gain of the leading rule.
std::string gain_text(const Analysed& a);
// A failure or a wrong result, in red under the table; empty when there is none.
Lines failure_lines(const Analysed& a, const Pen& pen);

}  // namespace kprof
