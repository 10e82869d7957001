#include "collect/statistics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kprof {
namespace {

TEST(Statistics, MedianOfOddAndEvenCounts) {
    EXPECT_DOUBLE_EQ(spread_of({3, 1, 2}).median, 2);
    EXPECT_DOUBLE_EQ(spread_of({4, 1, 3, 2}).median, 2.5);
}

TEST(Statistics, SpreadIsHalfTheInterquartileRangeOverTheMedian) {
    // Quartiles of 1..5 are 2 and 4.
    EXPECT_DOUBLE_EQ(spread_of({1, 2, 3, 4, 5}).relative, 1.0 / 3);
}

TEST(Statistics, OneOutlierDoesNotMoveMedianOrSpread) {
    const Spread s = spread_of({100, 100, 100, 100, 100, 100, 100, 9000});
    EXPECT_DOUBLE_EQ(s.median, 100);
    EXPECT_DOUBLE_EQ(s.relative, 0);
}

TEST(Statistics, EdgeCases) {
    EXPECT_DOUBLE_EQ(spread_of({7}).median, 7);
    EXPECT_DOUBLE_EQ(spread_of({7}).relative, 0);
    EXPECT_DOUBLE_EQ(spread_of({0, 0, 0}).relative, 0);  // never 0/0
    EXPECT_THROW(spread_of({}), std::invalid_argument);
}

}  // namespace
}  // namespace kprof
