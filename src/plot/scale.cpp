#include <algorithm>
#include <cmath>

#include "plot/scene.hpp"

namespace kprof {

double LogScale::to_unit(double value) const {
    if (!(value > low)) return 0;  // 0 and NaN as well: a logarithm of them is no place on an axis
    if (value >= high) return 1;
    return std::log10(value / low) / std::log10(high / low);
}

std::vector<double> LogScale::decades() const {
    std::vector<double> out;
    // A little slack, so that a bound that is a decade but for rounding counts as one.
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    for (int e = first; e <= last; ++e) out.push_back(std::pow(10.0, e));
    return out;
}

}  // namespace kprof
