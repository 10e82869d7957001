// The families about pipes, occupancy, spilling, launches, grids and layers. Numbers computed by hand from
// the shapes.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

#include "kernels/registry.hpp"
#include "kernels/support/occupancy_family.hpp"
#include "kernels/support/pipes_family.hpp"

namespace kprof {
namespace {

Shape shape(const char* a, std::int64_t x, const char* b, std::int64_t y) {
    return Shape{{{a, x}, {b, y}}};
}
Work work_of(const char* family, const char* variant, const Shape& s, DType dtype = DType::fp32) {
    return find_kernel(family, variant).work(s, dtype);
}
Launch launch_of(const char* family, const char* variant, const Shape& s, DType dtype = DType::fp32) {
    return find_kernel(family, variant).launch(s, dtype);
}

TEST(ArithmeticFacts, PipesCountTheTaskAndNotTheWay) {
    const Shape s = shape("n", 1000, "steps", 10);
    EXPECT_DOUBLE_EQ(work_of("pipes", "fp64", s).flops, 20000);
    EXPECT_EQ(work_of("pipes", "fp64", s).precision, "fp32");
    EXPECT_DOUBLE_EQ(work_of("pipes", "unfused", s).flops, 80000);
    EXPECT_DOUBLE_EQ(work_of("pipes", "sfu-polynomial", s).flops, 50000);
    EXPECT_DOUBLE_EQ(work_of("pipes", "integer-division", s).flops, 0);
    EXPECT_DOUBLE_EQ(work_of("pipes", "integer-division", s).min_bytes, 4000);
    EXPECT_DOUBLE_EQ(work_of("pipes", "half", s, DType::fp16).min_bytes, 4000);
    EXPECT_EQ(launch_of("pipes", "half2", shape("n", 513, "steps", 1), DType::fp16).grid[0], 2U);
}

TEST(ArithmeticFacts, TheMultiplicationDividesEveryNumberAsTheDivisionDoes) {
    for (std::uint64_t x = 0; x < (std::uint64_t{1} << 32); x += 65519) {
        ASSERT_EQ(x * pipes_magic >> (32 + pipes_shift), x / pipes_carry.divisor) << x;
    }
    const std::uint64_t largest = 0xFFFFFFFFU;
    EXPECT_EQ(largest * pipes_magic >> (32 + pipes_shift), largest / pipes_carry.divisor);
}

TEST(ArithmeticFacts, SpillCountsProductsAndSteps) {
    const Shape s = shape("systems", 1000, "steps", 10);
    EXPECT_DOUBLE_EQ(work_of("spill", "", s).flops, 1000 * 10 * (72 + 12));
    EXPECT_DOUBLE_EQ(work_of("spill", "", s).min_bytes, 1000 * 4 * (36 + 12));
    EXPECT_EQ(launch_of("spill", "shared", s).smem_static, 48 * 128 * 4);
}

TEST(ArithmeticFacts, PagesOfAListAreAllDifferent) {
    for (const std::int64_t pages : {1, 2, 3, 12, 1000, 2097152, 2147483647}) {
        const std::int64_t stride = page_stride(pages);
        EXPECT_GE(stride, 1);
        EXPECT_EQ(std::gcd(stride, pages), 1) << pages;
    }
}

TEST(ArithmeticFacts, OccupancyTakesWarpsAndSharedMemoryByTheVariant) {
    const Shape s = shape("lists", 1000, "hops", 32);
    EXPECT_DOUBLE_EQ(work_of("occupancy", "", s).flops, 1000 * 32 * 124 * 2.0);
    EXPECT_DOUBLE_EQ(work_of("occupancy", "trap-low", s).min_bytes,
                     4.0 * (1000 * 32 * 128 + 32 * 128 + 1000 + 1000 * 124));
    EXPECT_EQ(launch_of("occupancy", "registers-bounded", s).grid[0], 250U);
    EXPECT_EQ(launch_of("occupancy", "trap-low", s).grid[0], 16U);  // 63 warps of 16 lists
    EXPECT_EQ(launch_of("occupancy", "smem-hungry", s).smem_dynamic, 131072);
    EXPECT_EQ(launch_of("occupancy", "smem-small", s).smem_dynamic, 16384);
    EXPECT_FALSE(find_kernel("occupancy", "registers-hungry")
                     .refuses(shape("lists", 8, "hops", 33), DType::fp32)
                     .empty());
    EXPECT_TRUE(find_kernel("occupancy", "registers-bounded")
                    .refuses(shape("lists", 8, "hops", 33), DType::fp32)
                    .empty());
}

TEST(ArithmeticFacts, TheTailIsOneBlockMoreThanAnH200HasSms) {
    const KernelDef& tail = find_kernel("grid", "tail");
    EXPECT_EQ(tail.launch(tail.default_shape, DType::fp32).grid[0], 133U);
    const KernelDef& few = find_kernel("grid", "few-blocks");
    EXPECT_EQ(few.launch(few.default_shape, DType::fp32).grid[0], 32U);
    EXPECT_EQ(few.launch(shape("n", 2049, "steps", 1), DType::fp32).grid[0], 2U);
    EXPECT_EQ(launch_of("grid", "whole-waves", tail.default_shape).grid[0], 8512U);
}

TEST(ArithmeticFacts, CoarsenedBlocksTakeTheSamePlaceOf16Planes) {
    const Shape s{{{"batch", 3}, {"channels", 11}, {"height", 10}, {"width", 30}}};
    EXPECT_EQ(launch_of("grid", "fine", s).grid[0], 39U);           // 9900 elements
    EXPECT_EQ(launch_of("grid", "coarsened", s).grid[0], 3U * 2U);  // 33 planes of 300
    EXPECT_DOUBLE_EQ(work_of("grid", "fine", s).min_bytes, 4.0 * (2 * 9900 + 11 + 10));
    const Shape dots{{{"batch", 2147483647}, {"channels", 200}, {"height", 1}, {"width", 1}}};
    EXPECT_FALSE(find_kernel("grid", "coarsened").refuses(dots, DType::fp32).empty());
}

TEST(ArithmeticFacts, AStepOfAnMlpNeedsNoGradientOfItsInput) {
    const Shape s{{{"batch", 8}, {"width", 10}, {"layers", 4}}};
    EXPECT_DOUBLE_EQ(work_of("mlp", "forward", s).flops, 4 * 2 * 8 * 100);
    EXPECT_DOUBLE_EQ(work_of("mlp", "step", s).flops, 11 * 2 * 8 * 100);
    EXPECT_DOUBLE_EQ(work_of("mlp", "step", s).min_bytes, 4 * (2 * 80 + 2 * 400));
    EXPECT_TRUE(work_of("mlp", "forward", s).matrix_product);
    EXPECT_EQ(work_of("mlp", "step-library", s, DType::tf32).precision, "tf32");
}

TEST(ArithmeticFacts, ALaunchCountsAllOfItsSteps) {
    const Shape s = shape("n", 1000, "steps", 480);
    for (const char* variant : {"stream", "graph", "persistent"}) {
        EXPECT_DOUBLE_EQ(work_of("launch", variant, s).flops, 1000.0 * 480 * 33 * 2);
        EXPECT_DOUBLE_EQ(work_of("launch", variant, s).min_bytes, 8000);
    }
}

}  // namespace
}  // namespace kprof
