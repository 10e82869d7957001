#include "plot/label.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

#include "core/format.hpp"

namespace kprof {
namespace {

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

struct Scaled {
    double value = 0;
    std::string prefix;
};

Scaled scale(double value) {
    constexpr std::array<const char*, 7> prefixes{"", "k", "M", "G", "T", "P", "E"};
    std::size_t step = 0;
    // Beyond the prefixes an exponent is the only short form: "1e+303".
    if (std::fabs(value) >= 999.5e18) return {value, ""};
    // 999.5 prints as 1000 with three digits: it belongs to the next prefix.
    while (std::fabs(value) >= 999.5 && step + 1 < prefixes.size()) value /= 1000, ++step;
    return {value, prefixes[step]};
}

// Too large or too small for digits after a point.
bool is_long(const Scaled& s) {
    return std::fabs(s.value) >= 1000 || (s.value != 0 && std::fabs(s.value) < 0.1);
}

std::string two_digits(double flop_per_s) {
    const Scaled s = scale(flop_per_s);
    if (is_long(s)) return format_flops(flop_per_s);
    return fmt::format("{:.{}f} {}FLOP/s", s.value, s.value < 9.95 ? 1 : 0, s.prefix);
}

std::string level_name(const std::string& level) {
    return level == "mall" ? "Infinity Cache" : upper(level);
}

}  // namespace

std::string short_si(double value) {
    const Scaled s = scale(value);
    const std::string number = fmt::format("{:.3g}", s.value);
    return s.prefix.empty() ? number : number + " " + s.prefix;
}

std::string compute_label(const std::string& precision, const std::string& pipe, double flop_per_s) {
    return upper(precision) + (pipe == "tensor" ? " tensor " : " ") + short_si(flop_per_s);
}

std::string bandwidth_label(const std::string& level, double bytes_per_s) {
    const Scaled s = scale(bytes_per_s);
    if (is_long(s)) return level_name(level) + " " + format_bandwidth(bytes_per_s);
    const int decimals = s.value < 9.995 ? 2 : s.value < 99.95 ? 1 : 0;
    return fmt::format("{} {:.{}f} {}B/s", level_name(level), s.value, decimals, s.prefix);
}

std::string point_label(const RooflinePoint& p) {
    std::string text;
    if (p.what_if) text = p.machine + ": ";
    if (p.level != "dram") text += level_name(p.level) + ": ";
    if (p.intensity <= 0) {
        // Nothing to draw without FLOPs: the line under the plot carries the bandwidth.
        const std::string of = format_share(p.fraction) + " of the " + level_name(p.level) + " roof";
        return text + "no FLOPs, " +
               (p.what_if ? "at most " + format_bandwidth(p.bandwidth_roof)
                          : format_bandwidth(p.fraction * p.bandwidth_roof) + ", " + of);
    }
    const Scaled i = scale(p.intensity);
    text += fmt::format("{:.3g}{} FLOP/B, {}{}", i.value, i.prefix.empty() ? "" : " " + i.prefix,
                        p.what_if ? "at most " : "", two_digits(p.performance));
    return text;
}

}  // namespace kprof
