// Numbers for people: decimal units, three to four significant digits, units that the field uses.
#pragma once

#include <string>

namespace kprof {

std::string format_time_ns(double ns);             // "171.3 µs", "22.93 ms"
std::string format_bytes(double bytes);            // "8.2 GB" (1e9)
std::string format_bandwidth(double bytes_per_s);  // "4.28 TB/s"
std::string format_flops(double flop_per_s);       // "790 TFLOP/s"
std::string format_count(double n);                // "1.37e+11" style avoided: "137 G", "12,345"
// A value in its unit (the unit strings of Measurement): picks one of the above, "%" with one decimal, else
// plain.
std::string format_value(double value, const std::string& unit);
// "12.5 %", and "1e+300 %" from a million on.
std::string format_percent(double percent, int decimals);
std::string format_share(double fraction);  // 0.0951 -> "9.5 %", 0.83 -> "83 %"
std::string format_factor(double x);        // "×7.3", "×68"

}  // namespace kprof
