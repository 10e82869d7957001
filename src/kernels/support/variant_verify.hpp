// Is the output of a variant what its reference says?
#pragma once

#include "core/profile.hpp"
#include "kernels/support/variant.hpp"

namespace kprof {

// The largest relative error that a variant may show.
double tolerance_of(const Variant& variant, DType dtype);

// Compares the output with the reference, group by group: all of it where that is affordable, else a sample;
// the whole output is searched for NaN and infinities, which poisoning leaves where nothing was written.
// Waits for the device.
Verification verify_variant(const Variant& variant, const Call& call);

}  // namespace kprof
