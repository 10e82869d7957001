#include "core/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kprof {
namespace {

constexpr const char* not_a_number = "n/a";
// From here on digits of a percentage or a factor only fill the line.
constexpr double too_long = 1e6;

// `v` rounded to `digits` significant digits. Rounding comes before the unit is chosen, so that 999.96 µs
// becomes 1.000 ms and never 1000.0 µs. Through text, which rounds correctly where scaling by a power of ten
// does not (2.675 * 100 is 267.49999...).
double rounded(double v, int digits) {
    const std::string text = fmt::format("{:.{}e}", v, digits - 1);
    double result = v;  // stays when the text is out of range (the smallest and the largest doubles)
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
}

// Decimals that show `digits` significant digits of a value that is already rounded to them.
int decimals_for(double v, int digits) {
    if (v == 0) return 0;
    return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(v)) + 1e-12)));
}

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string significant(double v, int digits) {
    const double r = rounded(v, digits);
    // Beyond these a row of zeros says less than an exponent.
    if (r != 0 && (std::fabs(r) < 1e-6 || std::fabs(r) >= 1e9)) return fmt::format("{:.{}g}", r, digits);
    return fmt::format("{:.{}f}", r, decimals_for(r, digits));
}

std::string short_number(double v) {
    return without_trailing_zeros(significant(v, 3));
}

// 12345 -> "12,345".
std::string with_separators(double whole) {
    std::string digits = fmt::format("{:.0f}", std::fabs(whole));
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return whole < 0 ? "-" + digits : digits;
}

// Three significant digits with a decimal prefix: "4.28 TB/s". What is beyond the prefixes (no GPU's number)
// keeps its unit and gets an exponent: "1e+303 FLOP/s".
std::string prefixed(double v, const std::string& unit) {
    if (!std::isfinite(v)) return not_a_number;
    constexpr std::array<const char*, 7> prefixes{"", "k", "M", "G", "T", "P", "E"};
    double scaled = rounded(v, 3);
    if (std::fabs(scaled) >= 1e21) return fmt::format("{:.3g}{}{}", v, unit.empty() ? "" : " ", unit);
    std::size_t step = 0;
    while (std::fabs(scaled) >= 1000 && step + 1 < prefixes.size()) scaled /= 1000, ++step;
    const std::string number = short_number(scaled);
    const std::string tail = prefixes[step] + unit;
    return tail.empty() ? number : number + " " + tail;
}

// A number of which the whole part is never cut: "1980", "16.5", "0.0123".
std::string plain(double v) {
    if (std::fabs(v) >= 1e5) return format_count(v);
    if (std::fabs(v) >= 100) return fmt::format("{:.0f}", v);
    return short_number(v);
}

}  // namespace

std::string format_time_ns(double ns) {
    if (!std::isfinite(ns)) return not_a_number;
    const double size = std::fabs(ns);
    // Below a microsecond the timers resolve whole nanoseconds: three digits, no invented decimals.
    if (rounded(size, 3) < 1e3) return short_number(ns) + " ns";
    if (rounded(size, 4) < 1e6) {
        // 999.5 ns does not count as nanoseconds any more, and is a whole microsecond in these digits.
        return significant(std::copysign(std::max(size, 1e3), ns) / 1e3, 4) + " µs";
    }
    if (rounded(size, 4) < 1e9) return significant(ns / 1e6, 4) + " ms";
    return significant(ns / 1e9, 3) + " s";
}

std::string format_bytes(double bytes) {
    return prefixed(bytes, "B");
}
std::string format_bandwidth(double bytes_per_s) {
    return prefixed(bytes_per_s, "B/s");
}
std::string format_flops(double flop_per_s) {
    return prefixed(flop_per_s, "FLOP/s");
}

std::string format_count(double n) {
    if (!std::isfinite(n)) return not_a_number;
    const double whole = std::round(n);
    if (std::fabs(whole) >= 1e6) return prefixed(n, "");
    if (std::fabs(whole) >= 1000 || whole == n) return with_separators(whole == 0 ? 0.0 : whole);
    return short_number(n);
}

std::string format_value(double value, const std::string& unit) {
    if (!std::isfinite(value)) return not_a_number;
    if (unit == "ns") return format_time_ns(value);
    if (unit == "B" || unit == "B/s" || unit == "FLOP" || unit == "FLOP/s" || unit == "OP" ||
        unit == "OP/s" || unit == "Hz") {
        return prefixed(value, unit);
    }
    if (unit == "%") return format_percent(value, 1);
    const std::string number = plain(value);
    return unit.empty() ? number : number + " " + unit;
}

std::string format_percent(double percent, int decimals) {
    if (!std::isfinite(percent)) return not_a_number;
    if (std::fabs(percent) >= too_long) return fmt::format("{:.2g} %", percent);
    std::string number = fmt::format("{:.{}f}", percent, decimals);
    if (number.front() == '-' && number.find_first_not_of("-0.") == std::string::npos) number.erase(0, 1);
    return number + " %";
}

std::string format_share(double fraction) {
    const double percent = fraction * 100;
    // Two significant digits: "9.5 %" beside "95 %", and never "10 %" beside "9.5 %" elsewhere.
    return format_percent(percent, percent != 0 && std::fabs(percent) < 9.95 ? 1 : 0);
}

std::string format_factor(double x) {
    if (!std::isfinite(x)) return not_a_number;
    const double r = rounded(x, 2);
    if (std::fabs(r) >= too_long) return fmt::format("×{:.2g}", x);
    if (std::fabs(r) >= 10) return fmt::format("×{:.0f}", x);
    return "×" + significant(x, 2);
}

}  // namespace kprof
