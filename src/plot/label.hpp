// Short labels of numbers on axes and roofs.
#pragma once

#include <string>

#include "roofline/machine.hpp"
#include "roofline/place.hpp"

namespace kprof {

// "989 T", "66.9 T", "1 k", "0.1": three significant digits and a decimal prefix, no unit.
std::string short_si(double value);
// "BF16 tensor 989 T", "FP32 66.9 T". Only the tensor pipe is named: vector is what one expects.
std::string compute_label(const std::string& precision, const std::string& pipe, double flop_per_s);
// "DRAM 4.80 TB/s", "Infinity Cache 17.2 TB/s".
std::string bandwidth_label(const std::string& level, double bytes_per_s);
// "16.5 FLOP/B, 6.0 TFLOP/s".
std::string point_label(const RooflinePoint& point);

}  // namespace kprof
