#include "collect/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace kprof {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return sorted[below] + part * (sorted[above] - sorted[below]);
}

}  // namespace

Spread spread_of(std::vector<double> values) {
    if (values.empty()) throw std::invalid_argument("spread_of: no values");
    std::sort(values.begin(), values.end());
    Spread result;
    result.median = quantile(values, 0.5);
    if (result.median > 0) {
        result.relative = (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / result.median;
    }
    return result;
}

}  // namespace kprof
