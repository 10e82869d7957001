// The two numbers that a set of timed repeats is reduced to.
#pragma once

#include <vector>

namespace kprof {

struct Spread {
    double median = 0;
    double relative = 0;  // half the interquartile range over the median; 0 when the median is 0
};

// Quartiles by linear interpolation between order statistics. `values` must not be empty.
Spread spread_of(std::vector<double> values);

}  // namespace kprof
