// A measured roof against the published one, at its clock and at the clock held.
#include "roofline/judge.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace kprof {
namespace {

using test::roof;

TEST(Judge, AShareOfThePublishedRoofAtBothClocks) {
    const Machine m = test::machine();
    const Judgement j = judge(roof("compute", "bf16", "tensor", 842e12, 1630, "cuBLASLt"), m);
    ASSERT_TRUE(j.published);
    EXPECT_NEAR(*j.share, 0.851, 0.001);
    EXPECT_NEAR(*j.share_at_clock, 0.9555, 0.001);
    EXPECT_FALSE(j.suspect);
}

TEST(Judge, DramHasNoClock) {
    const Judgement j = judge(roof("bandwidth", "dram", "", 4.4e12, 1980, "copy"), test::machine());
    EXPECT_NEAR(*j.share, 0.917, 0.001);
    EXPECT_FALSE(j.share_at_clock);
}

TEST(Judge, WhatIsAboveThePublishedRoofIsSuspect) {
    const Machine m = test::machine();
    EXPECT_TRUE(judge(roof("bandwidth", "dram", "", 4.8e12 * 1.031, 1980, "read"), m).suspect);
    EXPECT_FALSE(judge(roof("bandwidth", "dram", "", 4.8e12 * 1.029, 1980, "read"), m).suspect);
}

TEST(Judge, AHigherClockAllowsMoreAndALowerOneLess) {
    const Machine m = test::machine();
    // 1,070 TFLOP/s is right at 1,980 MHz and cannot be at 1,700 MHz.
    EXPECT_FALSE(judge(roof("compute", "bf16", "tensor", 1070e12, 1980, "wgmma"), m).suspect);
    const Judgement low = judge(roof("compute", "bf16", "tensor", 1070e12, 1700, "wgmma"), m);
    EXPECT_TRUE(low.suspect);
    EXPECT_NE(low.why.find("116 %"), std::string::npos) << low.why;
    EXPECT_NE(low.why.find("clock held"), std::string::npos) << low.why;
}

TEST(Judge, WithoutAClockTheBoostClockIsSupposed) {
    const Machine m = test::machine();
    const Judgement j = judge(roof("compute", "bf16", "tensor", 1070e12, 0, "wgmma"), m);
    EXPECT_FALSE(j.suspect);
    EXPECT_FALSE(j.share_at_clock);
    EXPECT_TRUE(judge(roof("compute", "bf16", "tensor", 1110e12, 0, "wgmma"), m).suspect);
}

TEST(Judge, WhatIsNotPublishedIsNeverSuspect) {
    const Machine m = test::machine();
    for (const Ceiling& c : {roof("bandwidth", "l2", "", 1e15, 1980, "reads"),
                             roof("compute", "special", "xu", 1e15, 1980, "ex2 loop")}) {
        const Judgement j = judge(c, m);
        EXPECT_EQ(j.published, nullptr);
        EXPECT_FALSE(j.share);
        EXPECT_FALSE(j.suspect);
    }
}

TEST(Judge, SharedMemoryIsHeldAgainstTheL1Roof) {
    const Machine machine = test::machine();
    const Judgement j = judge(roof("bandwidth", "smem", "", 33.0e12, 1980, "reads"), machine);
    ASSERT_TRUE(j.published);
    EXPECT_EQ(j.published->name, "l1");
}

}  // namespace
}  // namespace kprof
