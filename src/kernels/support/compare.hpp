// The device part of verifying an output against expected values.
#pragma once

#include <cstdint>

#include "kernels/support/gemm_reference.hpp"
#include "kernels/support/variant.hpp"

namespace kprof {

// What was seen of an output. All zero at the start (a memset).
struct OutputSums {
    ErrorSums errors;                   // of the compared elements; not_finite counts those among them
    unsigned long long mismatches = 0;  // exact outputs: elements that are not the rounded expected value
    unsigned long long not_finite = 0;  // in the whole output
};

struct CompareCall {
    const void* out;             // the output
    Element element;             // resolved: never of_call
    std::int64_t outputs;        // its elements
    const std::int64_t* groups;  // device: `count` groups of `size` elements
    std::int64_t count, size;
    const double* expected;  // device: count x size
    bool exact;
};

// Adds the errors of one chunk to `sums` (device memory).
void compare_outputs(const CompareCall& call, OutputSums* sums);
// Adds the number of NaN and infinite elements of the whole output to sums->not_finite. Integers have none.
void count_not_finite(const void* out, Element element, std::int64_t outputs, OutputSums* sums);
// groups[i] = first + i, on the device.
void fill_sequence(std::int64_t* groups, std::int64_t count, std::int64_t first);

}  // namespace kprof
