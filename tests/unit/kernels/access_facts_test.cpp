// The families about access patterns and caches. Numbers computed by hand from the shapes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kernels/registry.hpp"
#include "kernels/support/reduce_family.hpp"

namespace kprof {
namespace {

Shape line(std::int64_t n) {
    return Shape{{{"n", n}}};
}
Work work_of(const char* family, const char* variant, const Shape& shape) {
    return find_kernel(family, variant).work(shape, DType::fp32);
}
Launch launch_of(const char* family, const char* variant, const Shape& shape) {
    return find_kernel(family, variant).launch(shape, DType::fp32);
}
Shape gather(std::int64_t rows, std::int64_t width, std::int64_t tokens) {
    return Shape{{{"rows", rows}, {"width", width}, {"tokens", tokens}}};
}

TEST(AccessFacts, TheStreamsCountTheirTaskAlone) {
    EXPECT_DOUBLE_EQ(work_of("copy", "strided", line(1000)).min_bytes, 8000);
    EXPECT_DOUBLE_EQ(work_of("copy", "offset", line(1000)).min_bytes, 8000);
    EXPECT_DOUBLE_EQ(work_of("scale", "", line(1000)).flops, 1000);
    EXPECT_DOUBLE_EQ(work_of("scale", "", line(1000)).min_bytes, 8000);
    EXPECT_DOUBLE_EQ(work_of("triad", "", line(1000)).flops, 2000);
    // Two of a particle's eight members, and the result.
    EXPECT_DOUBLE_EQ(work_of("triad", "aos", line(1000)).min_bytes, 12000);
    EXPECT_GE(find_kernel("triad", "aos").device_bytes(line(1000), DType::fp32), 36000);
    // 8192 numbers a sum: 1000 reads and one sum.
    EXPECT_DOUBLE_EQ(work_of("read", "", line(1000)).min_bytes, 4004);
    EXPECT_EQ(launch_of("read", "", line(8193)).grid[0], 2U);
}

TEST(AccessFacts, AStridedCopyPassesOverTheArrayOnceForEachElementOfALine) {
    // 1000 elements are 32 steps of 32 (the last one short), in 32 passes.
    EXPECT_EQ(launch_of("copy", "strided", line(1000)).grid, (std::array<std::uint32_t, 3>{1, 32, 1}));
    const Launch whole = launch_of("copy", "strided", line(std::int64_t{1} << 28));
    EXPECT_EQ(whole.grid, (std::array<std::uint32_t, 3>{32768, 32, 1}));
}

TEST(AccessFacts, TheTilesOfATranspose) {
    const Shape shape{{{"rows", 100}, {"columns", 33}}};
    EXPECT_DOUBLE_EQ(work_of("transpose", "naive", shape).min_bytes, 26400);
    const Launch padded = launch_of("transpose", "", shape);
    EXPECT_EQ(padded.grid, (std::array<std::uint32_t, 3>{1, 4, 1}));
    EXPECT_EQ(padded.block, (std::array<std::uint32_t, 3>{32, 8, 1}));
    EXPECT_EQ(padded.smem_static, 16512);  // 32 x 129 floats
    EXPECT_EQ(launch_of("transpose", "smem-conflict", shape).smem_static, 16384);
}

TEST(AccessFacts, AGatherNeedsTheRowsThatAreAskedForAndNoOthers) {
    // 10 row numbers, 10 rows written, 10 rows of the table read.
    EXPECT_DOUBLE_EQ(work_of("gather", "random-narrow", gather(1000, 2, 10)).min_bytes, 40 + 80 + 80);
    // More tokens than rows: each row is read once.
    EXPECT_DOUBLE_EQ(work_of("gather", "wide", gather(5, 128, 10)).min_bytes, 40 + 5120 + 2560);
    // Four tokens a warp, eight warps a block.
    EXPECT_EQ(launch_of("gather", "wide", gather(1000, 128, 33)).grid[0], 2U);
}

TEST(AccessFacts, ShapesThatAKernelCannotRunAreRefusedWithTheReason) {
    const auto why = [](const char* family, const char* variant, const Shape& shape) {
        return find_kernel(family, variant).refuses(shape, DType::fp32);
    };
    EXPECT_EQ(why("gather", "sorted", gather(8, 3, 8)), "width must be 1, 2 or 4: a row is one load");
    EXPECT_EQ(why("gather", "sorted", gather(8, 4, 8)), "");
    EXPECT_NE(why("gather", "wide", gather(8, 130, 8)), "");
    EXPECT_NE(why("cache", "l2-resident", Shape{{{"n", 1022}, {"passes", 1}}}), "");
    EXPECT_NE(why("cache", "constant-shared", Shape{{{"n", 1}, {"lookups", 1025}}}), "");
    EXPECT_EQ(why("cache", "constant-shared", Shape{{{"n", 1}, {"lookups", 1024}}}), "");
}

TEST(AccessFacts, BothSidesOfTheDivergentBranchAreOneTask) {
    // 8 rounds of 64 steps of two FMAs.
    EXPECT_DOUBLE_EQ(work_of("divergence", "per-lane", line(10)).flops, 10 * 2048);
    EXPECT_DOUBLE_EQ(work_of("divergence", "per-warp", line(10)).min_bytes, 80);
}

TEST(AccessFacts, AReductionGoesOnUntilOneSumIsLeft) {
    EXPECT_DOUBLE_EQ(work_of("reduce", "", line(1000)).min_bytes, 4004);
    EXPECT_EQ(reduce_levels(1, 1024), 1);
    EXPECT_EQ(reduce_levels(1024, 1024), 1);
    EXPECT_EQ(reduce_levels(1025, 1024), 2);
    EXPECT_EQ(reduce_levels(1024 * 1024 + 1, 1024), 3);
    // 1025 sums, rounded up to whole vectors, and 2 more.
    EXPECT_EQ(partial_sums(1024 * 1024 + 1, 1024), 1028 + 4);
    EXPECT_EQ(launch_of("reduce", "barrier", line(4097)).grid[0], 2U);
    EXPECT_EQ(launch_of("reduce", "atomic-block", line(4097)).grid[0], 5U);
}

TEST(AccessFacts, AHistogramReadsItsKeysOnce) {
    EXPECT_DOUBLE_EQ(work_of("histogram", "", line(1000)).min_bytes, 4000 + 1024);
    EXPECT_EQ(launch_of("histogram", "", line(32769)).grid[0], 2U);
    EXPECT_EQ(launch_of("histogram", "", line(32769)).smem_static, 32768);
}

TEST(AccessFacts, TheCachesCountWhatComesFromDramOnce) {
    const Shape set{{{"n", 8192}, {"passes", 100}}};
    EXPECT_DOUBLE_EQ(work_of("cache", "l2-resident", set).flops, 819200);
    EXPECT_DOUBLE_EQ(work_of("cache", "l2-resident", set).min_bytes, 4 * (8192 + 2));
    EXPECT_DOUBLE_EQ(work_of("cache", "l1-resident", set).flops, 1024 * 819200.0);
    const Shape table{{{"n", 1000}, {"lookups", 10}}};
    EXPECT_DOUBLE_EQ(work_of("cache", "constant-divergent", table).flops, 20000);
    EXPECT_DOUBLE_EQ(work_of("cache", "constant-divergent", table).min_bytes, 8000 + 8192);
    // 8192 chains of 10 steps, or the whole ring when it is smaller; and the ends.
    const Shape ring{{{"n", 1000000}, {"hops", 10}}};
    EXPECT_DOUBLE_EQ(work_of("cache", "pointer-chase", ring).min_bytes, 4 * (81920 + 8192));
}

}  // namespace
}  // namespace kprof
