// Where a curve of bandwidth over working sets is flat, and where it is not.
#include "ceilings/plateau.hpp"

#include <gtest/gtest.h>

namespace kprof {
namespace {

WorkingSet at(std::int64_t kb, double tb_per_s, const std::string& access = "l2") {
    WorkingSet w;
    w.access = access;
    w.bytes_per_sm = kb * 1024;
    w.value = tb_per_s * 1e12;
    return w;
}

constexpr std::int64_t all = std::int64_t{1} << 40;

TEST(Plateau, TheHighestFlatStretchCounts) {
    const std::vector<WorkingSet> sets{at(16, 5.6),  at(32, 5.5),   at(64, 5.55),
                                       at(512, 3.0), at(1024, 2.9), at(2048, 2.95)};
    const auto found = plateau(sets, "l2", 0, all);
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->value, 5.55e12);  // the median of its stretch
}

TEST(Plateau, OnePeakIsNoPlateau) {
    EXPECT_FALSE(plateau({at(16, 9.0), at(32, 5.0), at(64, 3.0)}, "l2", 0, all));
    const auto found = plateau({at(16, 9.0), at(32, 5.0), at(64, 5.1)}, "l2", 0, all);
    ASSERT_TRUE(found);
    EXPECT_LE(found->value, 5.1e12);
    EXPECT_FALSE(plateau({at(16, 5.0)}, "l2", 0, all));
    EXPECT_FALSE(plateau({}, "l2", 0, all));
}

TEST(Plateau, ASlopeOfSmallStepsIsCutWhereItLeavesTheTolerance) {
    std::vector<WorkingSet> slope;
    double value = 10;
    for (std::int64_t kb = 16; kb <= 16 * 20; kb += 16, value *= 0.96) slope.push_back(at(kb, value));
    const auto found = plateau(slope, "l2", 0, all);
    ASSERT_TRUE(found);
    EXPECT_GT(found->value, 9e12);
}

TEST(Plateau, TheOtherAccessAndSizesOutsideDoNotCount) {
    const std::vector<WorkingSet> sets{at(16, 27, "l1"), at(32, 27, "l1"), at(64, 5.4),
                                       at(96, 5.5),      at(4096, 9),      at(2048, 9)};
    const auto found = plateau(sets, "l2", 0, 128 * 1024);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->value, 5.4e12, 0.2e12);
    EXPECT_FALSE(plateau(sets, "l2", 0, 80 * 1024));
}

TEST(Plateau, OrderDoesNotMatter) {
    const auto found = plateau({at(1024, 3), at(16, 5.5), at(512, 3), at(32, 5.5)}, "l2", 0, all);
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->value, 5.5e12);
}

TEST(Plateau, RangesAreHalfOfTheCache) {
    EXPECT_EQ(l1_range(228 * 1024).to, 114 * 1024);
    EXPECT_EQ(l2_range(132 * 2000, 132).to, 1000);
    EXPECT_EQ(l2_range(1000, 0).to, 0);  // no SMs known: no size belongs to L2
}

}  // namespace
}  // namespace kprof
