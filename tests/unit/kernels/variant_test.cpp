// What follows from a variant's facts, without a GPU.
#include "kernels/support/variant.hpp"

#include <gtest/gtest.h>

#include "kernels/support/variant_call.hpp"
#include "kernels/support/variant_verify.hpp"

namespace kprof {
namespace {

Variant rows(double cost_per_row) {
    static double cost = 0;
    cost = cost_per_row;
    Variant v;
    v.family = "test";
    v.name = "rows";
    v.extents = {"rows", "columns"};
    v.default_shape = {4, 8};
    v.dtypes = {DType::fp32};
    v.buffers = {{"x", [](const Call& c) { return c.extent[0] * c.extent[1]; }},
                 {"y", [](const Call& c) { return c.extent[0] * c.extent[1]; }, Element::bf16, Role::output}};
    v.group = [](const Call& c) { return c.extent[1]; };
    v.group_cost = [](const Call&) { return cost; };
    return v;
}

Call call(const Variant& v, std::int64_t r, std::int64_t c) {
    return call_of(v, Shape{{{"rows", r}, {"columns", c}}}, DType::fp32);
}

TEST(Variant, EveryGroupIsComparedWhileThatIsAffordable) {
    const Variant v = rows(1e3);
    const ComparisonPlan plan = plan_comparison(v, call(v, 1000, 300));
    EXPECT_EQ(plan.outputs, 300000);
    EXPECT_EQ(plan.groups, 1000);
    EXPECT_TRUE(plan.sampled.empty());
    EXPECT_EQ(plan.compared(), 1000);
}

TEST(Variant, ADearReferenceIsSampledWithBothEnds) {
    const Variant v = rows(1e9);
    const ComparisonPlan plan = plan_comparison(v, call(v, 100000, 128));
    EXPECT_EQ(plan.sampled.size(), 200U);  // of 2e11 FLOPs
    EXPECT_EQ(plan.sampled.front(), 0);
    EXPECT_EQ(plan.sampled[7], 7);
    EXPECT_EQ(plan.sampled.back(), 99999);
    EXPECT_TRUE(std::is_sorted(plan.sampled.begin(), plan.sampled.end()));
    EXPECT_LT(plan.sampled.back(), plan.groups);
}

TEST(Variant, EvenTheDearestReferenceIsSeen32Times) {
    const Variant v = rows(1e15);
    EXPECT_EQ(plan_comparison(v, call(v, 100000, 128)).compared(), 32);
    EXPECT_EQ(plan_comparison(v, call(v, 10, 128)).compared(), 10);
}

TEST(Variant, AGroupIsNeverLargerThanTheOutput) {
    Variant v = rows(1);
    v.group = [](const Call&) -> std::int64_t { return 1024; };
    const ComparisonPlan plan = plan_comparison(v, call(v, 1, 5));
    EXPECT_EQ(plan.size, 5);
    EXPECT_EQ(plan.groups, 1);
}

TEST(Variant, ElementsHaveTheSizeOfTheirType) {
    EXPECT_EQ(size_of(Element::of_call, DType::tf32), 4U);
    EXPECT_EQ(size_of(Element::of_call, DType::fp8), 1U);
    EXPECT_EQ(size_of(Element::fp64, DType::bf16), 8U);
    EXPECT_EQ(size_of(Element::uint32, DType::bf16), 4U);
}

TEST(Variant, TolerancesFollowTheDtypeUnlessGiven) {
    Variant v = rows(1);
    EXPECT_DOUBLE_EQ(tolerance_of(v, DType::fp32), 1e-5);
    EXPECT_DOUBLE_EQ(tolerance_of(v, DType::bf16), 4e-3);
    v.tolerance = 1e-4;
    EXPECT_DOUBLE_EQ(tolerance_of(v, DType::bf16), 1e-4);
    v.exact = true;
    EXPECT_DOUBLE_EQ(tolerance_of(v, DType::bf16), 0);
}

}  // namespace
}  // namespace kprof
