// The arithmetic of one roofline point, apart from where its numbers come from.
#pragma once

#include <string>

#include "core/profile.hpp"
#include "roofline/place.hpp"

namespace kprof {

// Counters and events are 1 % apart, and clocks move: above this a point is flagged.
inline constexpr double roof_tolerance = 1.03;

// Fills attainable, ridge, bound, fraction and above_roof from intensity, performance and the two roofs. A
// roof of 0 is absent: then only the other one counts. No division by zero; is_finite() tells an overflow.
void finish(RooflinePoint& p);

// Fills measured_fraction from the measured roofs: of the bound's own where it was measured. The other roof
// counts too, by its measured value or else its published one. 0 when the bound's roof was not measured.
void finish_measured(RooflinePoint& p);

// False when an extreme input made a number of the point overflow: it has no place on any axis then.
bool is_finite(const RooflinePoint& p);

// The ceiling that a kernel's arithmetic belongs to. `note` says when it is not of the precision asked for.
struct ComputeRoof {
    const Ceiling* ceiling = nullptr;
    std::string precision, pipe, note;
};
// Matrix products of all types but FP32 belong to the tensor pipe; everything else to the vector pipe, also
// where the machine has a matrix roof of that precision (FP32 on CDNA). Where a machine publishes no vector
// peak of a 16- or 8-bit type, the type's arithmetic runs at FP32 rate at least: that roof is used and noted.
ComputeRoof roof_for(const Machine& machine, const std::string& precision, bool matrix_product);
ComputeRoof roof_of_pipe(const Machine& machine, const std::string& precision, const std::string& pipe);

}  // namespace kprof
