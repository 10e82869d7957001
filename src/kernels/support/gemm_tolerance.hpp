// When a product counts as right, and which of its elements are compared one by one. Arithmetic only, so that
// it is tested without a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "kernels/support/gemm_reference.hpp"

namespace kprof {

// The largest relative error ‖out - ref‖ / ‖ref‖: FP32 1e-5, TF32 1e-3, BF16 4e-3, FP16 2e-3 (its mantissa
// has three bits more than BF16's), FP8 5e-2. FP32's grows with √(k / 8192): the rounding errors of a sum of
// k terms do.
double gemm_tolerance(DType dtype, std::int64_t k);

// The root mean square of C's elements when inputs are uniform in [-1, 1): a product of two has the variance
// 1/9, a sum of k of them k/9 (and a row of n such sums with random signs n·k/9). A bias adds 1/3, and GELU
// keeps the positive half.
double expected_rms(GemmTask task, std::int64_t k);

// At most `count` indices of 0 ... extent-1, ascending: all of them, or the first and last 33 (two whole
// tiles of 16 and the edge after, one of 32 and the edge after) and random ones between.
std::vector<int> sample_indices(std::int64_t extent, std::size_t count, std::uint32_t seed);

// How many rows and columns to compare, so that the reference stays a few milliseconds.
std::size_t sample_count(std::int64_t m, std::int64_t n, std::int64_t k);

struct ErrorBounds {
    double tolerance = 0;     // of the relative error
    double expected_rms = 0;  // what the compared values should come to in size, from how inputs are drawn
    double per_value = 0;     // how far one value may be off, in multiples of tolerance × rms
    // The share of its expected size that a reference counts with at least, however far it cancels: its
    // rounding errors do not cancel. Sums over a row cancel by chance, and a single row is often a tenth of
    // what is expected.
    double least = 0.1;
};

// The relative error, and why the sums do not pass; "" when they do. NaN never passes.
struct ErrorJudgement {
    double error = 0;  // finite
    std::string problem;
};
ErrorJudgement judge(const ErrorSums& sums, double values, const ErrorBounds& bounds,
                     const std::string& what);

}  // namespace kprof
