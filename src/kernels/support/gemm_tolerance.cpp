#include "kernels/support/gemm_tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace kprof {

namespace {

// Tensor cores cut off what does not fit when they add to an FP32 sum, always towards zero, so that the error
// of one long chain of additions grows with its length: at most 2^-24 of the sum per step. The tolerances
// hold up to k = 8192. Seen on an H200: 4.7e-3 with TF32 at k = 1,000,003, steps of 8.
double truncation(std::int64_t k, int step) {
    return std::ldexp(static_cast<double>(std::max<std::int64_t>(k - 8192, 0)) / step, -24);
}

}  // namespace

double gemm_tolerance(DType dtype, std::int64_t k) {
    switch (dtype) {
        case DType::bf16:
            // Twice what storing C in BF16 can cost an element (2^-9); 1.7e-3 is measured. A wider one would
            // hide single wrong elements from the projections.
            return 4e-3 + truncation(k, 16);
        case DType::fp16:
            return 2e-3 + truncation(k, 16);
        case DType::tf32:
            return 1e-3 + truncation(k, 8);
        case DType::fp8:
            // The inputs are exact: what is lost is in Hopper's sums of FP8 products, which keep 14 bits,
            // and in storing C in BF16.
            return 5e-2;
        default:
            return 1e-5 * std::max(1.0, std::sqrt(static_cast<double>(k) / 8192));
    }
}

double expected_rms(GemmTask task, std::int64_t k) {
    const double product = static_cast<double>(k) / 9;
    return std::sqrt(task == GemmTask::product ? product : (product + 1.0 / 3) / 2);
}

std::size_t sample_count(std::int64_t m, std::int64_t n, std::int64_t k) {
    constexpr double budget = 1 << 30;  // multiplications of the reference
    const double full = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    if (m <= 512 && n <= 512 && full <= budget / 4) return 512;
    return static_cast<std::size_t>(std::clamp(std::sqrt(budget / static_cast<double>(k)), 16.0, 256.0));
}

std::vector<int> sample_indices(std::int64_t extent, std::size_t count, std::uint32_t seed) {
    std::vector<int> list;
    if (extent <= static_cast<std::int64_t>(count)) {
        for (int i = 0; i < static_cast<int>(extent); ++i) list.push_back(i);
        return list;
    }
    std::set<int> chosen;
    const int last = static_cast<int>(extent - 1);
    for (int i = 0; i < 33 && chosen.size() + 2 <= count; ++i) {
        chosen.insert(i);
        chosen.insert(last - i);
    }
    std::mt19937 generator(seed);
    while (chosen.size() < count) {
        chosen.insert(static_cast<int>(generator() % static_cast<std::uint32_t>(extent)));
    }
    return {chosen.begin(), chosen.end()};
}

ErrorJudgement judge(const ErrorSums& sums, double values, const ErrorBounds& bounds,
                     const std::string& what) {
    ErrorJudgement result;
    const double floor = bounds.least * bounds.expected_rms * std::sqrt(values);
    const double norm = std::max(std::sqrt(sums.reference_squared), floor);
    const double error = std::sqrt(sums.error_squared) / norm;
    result.error = std::isfinite(error) ? error : std::numeric_limits<double>::max();
    if (sums.not_finite > 0) {
        result.problem = fmt::format("{} of the {} are not finite", sums.not_finite, what);
        return result;
    }
    if (!(error <= bounds.tolerance)) {
        result.problem =
            fmt::format("{} differ by {:.2g}, {:.2g} is allowed", what, result.error, bounds.tolerance);
        return result;
    }
    const double allowed = bounds.per_value * bounds.tolerance * norm / std::sqrt(values);
    if (!(sums.largest_error <= allowed)) {
        result.problem = fmt::format("one of the {} is off by {:.2g}, {:.2g} is allowed", what,
                                     sums.largest_error, allowed);
    }
    return result;
}

}  // namespace kprof
