// The part of verification that needs no GPU: tolerances, samples, and what passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "kernels/support/gemm_tolerance.hpp"

namespace kprof {
namespace {

TEST(Tolerance, IsThatOfTheDtype) {
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::fp32, 4096), 1e-5);
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::fp32, 8192), 1e-5);
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::fp32, 4 * 8192), 2e-5);
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::tf32, 4096), 1e-3);
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::bf16, 4096), 4e-3);
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::fp16, 4096), 2e-3);
    EXPECT_NEAR(gemm_tolerance(DType::tf32, 1'000'003), 8.4e-3, 1e-4);  // 4.7e-3 was measured
    EXPECT_DOUBLE_EQ(gemm_tolerance(DType::fp8, 4096), 5e-2);
}

// Against sums of random numbers as the inputs are drawn: the size that an error is held against.
TEST(ExpectedSize, IsThatOfUniformInputs) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    constexpr int k = 100, samples = 20000;
    double product = 0, after_gelu = 0;
    for (int i = 0; i < samples; ++i) {
        double x = 0;
        for (int j = 0; j < k; ++j) x += uniform(generator) * uniform(generator);
        product += x * x;
        x += uniform(generator);
        const double gelu = 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
        after_gelu += gelu * gelu;
    }
    EXPECT_NEAR(expected_rms(GemmTask::product, k), std::sqrt(product / samples), 0.05);
    EXPECT_NEAR(expected_rms(GemmTask::product_bias_gelu, k), std::sqrt(after_gelu / samples), 0.1);
}

TEST(Sample, OfASmallExtentIsAll) {
    const std::vector<int> all = sample_indices(5, 256, 1);
    EXPECT_EQ(all, (std::vector<int>{0, 1, 2, 3, 4}));
    EXPECT_EQ(sample_indices(256, 256, 1).size(), 256U);
}

TEST(Sample, OfALargeExtentHasBothEdgesAndIsSorted) {
    for (const std::int64_t extent : {300LL, 4096LL, 2147483647LL}) {
        const std::vector<int> list = sample_indices(extent, 256, 7);
        EXPECT_EQ(list.size(), 256U);
        EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
        const std::set<int> set(list.begin(), list.end());
        EXPECT_EQ(set.size(), list.size());
        for (int i = 0; i < 33; ++i) {
            EXPECT_TRUE(set.count(i) == 1 && set.count(static_cast<int>(extent - 1) - i) == 1) << i;
        }
    }
    EXPECT_EQ(sample_indices(4096, 16, 7).size(), 16U);
    EXPECT_NE(sample_indices(4096, 256, 7), sample_indices(4096, 256, 8));
}

TEST(Sample, IsCompleteUpTo512CubedAndBoundedBeyond) {
    EXPECT_GE(sample_count(512, 512, 512), 512U);
    EXPECT_EQ(sample_count(4096, 4096, 4096), 256U);
    for (const std::int64_t k : {1LL, 8192LL, 65536LL, 2147483647LL}) {
        const auto count = static_cast<double>(sample_count(100000, 100000, k));
        EXPECT_GE(count, 16);
        EXPECT_LE(count, 256);
    }
}

// One million values of size 1 with an error of 1e-6 each.
ErrorSums good() {
    ErrorSums sums;
    sums.reference_squared = 1e6;
    sums.error_squared = 1e-6;
    sums.largest_error = 4e-6;
    return sums;
}
const ErrorBounds bounds{1e-5, 1.0, 10};

TEST(Judge, PassesWhatIsRight) {
    const ErrorJudgement judgement = judge(good(), 1e6, bounds, "elements");
    EXPECT_EQ(judgement.problem, "");
    EXPECT_NEAR(judgement.error, 1e-6, 1e-12);
}

TEST(Judge, FailsOnTheRelativeError) {
    ErrorSums sums = good();
    sums.error_squared = 1e6 * 1.1e-5 * 1.1e-5;
    EXPECT_NE(judge(sums, 1e6, bounds, "elements").problem, "");
}

TEST(Judge, FailsOnOneElementThatTheRelativeErrorDoesNotShow) {
    ErrorSums sums = good();
    sums.error_squared += 1.1e-4 * 1.1e-4;
    sums.largest_error = 1.1e-4;  // 10 × tolerance × size is 1e-4
    const ErrorJudgement judgement = judge(sums, 1e6, bounds, "elements");
    EXPECT_LT(judgement.error, bounds.tolerance);
    EXPECT_NE(judgement.problem.find("one of the elements"), std::string::npos) << judgement.problem;
}

TEST(Judge, NeverPassesNaN) {
    ErrorSums unwritten = good();
    unwritten.not_finite = 1;
    EXPECT_NE(judge(unwritten, 1e6, bounds, "elements").problem, "");
    ErrorSums nan = good();
    nan.error_squared = std::numeric_limits<double>::quiet_NaN();
    const ErrorJudgement judgement = judge(nan, 1e6, bounds, "elements");
    EXPECT_NE(judgement.problem, "");
    EXPECT_TRUE(std::isfinite(judgement.error));
}

TEST(Judge, DoesNotBlameAReferenceThatCancels) {
    ErrorSums sums;
    sums.reference_squared = 1e-12;  // one value that came out near zero
    sums.error_squared = 1e-14;
    sums.largest_error = 1e-7;
    EXPECT_EQ(judge(sums, 1, bounds, "elements").problem, "");
}

TEST(Judge, AResultOfZerosFails) {
    ErrorSums sums;
    sums.reference_squared = sums.error_squared = 1e6;
    sums.largest_error = 4;
    EXPECT_NE(judge(sums, 1e6, bounds, "elements").problem, "");
}

}  // namespace
}  // namespace kprof
