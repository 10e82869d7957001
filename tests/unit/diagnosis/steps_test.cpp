// Each step: fails, passes, does not apply, was not measured.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace kprof::test {
namespace {

TEST(Streams, CopyIsAtTheDramRoof) {
    const Diagnosis d = stream("copy", 0.4922, 2.147e9, 2.15e9).diagnose();
    EXPECT_EQ(d.at_limit.value_or(""), "dram");
    EXPECT_TRUE(d.findings.empty());
    EXPECT_TRUE(d.wanted.empty());
    EXPECT_EQ(step(d, 1).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 1).why, "the arithmetic is no matrix product");
    EXPECT_EQ(step(d, 2).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 3).state, StepState::pass);
    EXPECT_EQ(step(d, 4).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 5).state, StepState::pass);
    EXPECT_TRUE(holds(d.verdict, "At its limit: DRAM is 91 % busy at 4.37 TB/s")) << d.verdict;
}

TEST(Streams, AddIsAtTheDramRoof) {
    const Diagnosis d = stream("add", 0.7274, 3.22e9, 3.205e9).diagnose();
    EXPECT_EQ(d.at_limit.value_or(""), "dram");
    EXPECT_TRUE(d.findings.empty());
}

TEST(Coalescing, FailsOnScatteredStores) {
    const Diagnosis d = strided().diagnose();
    EXPECT_EQ(d.rule, "coalescing");
    EXPECT_EQ(step(d, 2).state, StepState::fail);
    ASSERT_EQ(d.findings.size(), 1U);
    EXPECT_NEAR(d.findings[0].gain.value(), 4.5, 0.2);
    EXPECT_TRUE(holds(d.verdict, "78 % of the sectors")) << d.verdict;
    EXPECT_EQ(step(d, 2).why, "18.0 sectors per request");
}

TEST(Coalescing, DramBoundStrideIsMendedUpToTheMinimum) {
    Kernel k = strided();
    k.timed(1.0, 4.3e9).set("excess_sectors", 87.5).set("dram_traffic_ratio", 8, "");
    k.profile.work->min_bytes = 537e6;
    const Diagnosis d = k.diagnose();
    const Finding* f = finding(d, "coalescing");
    ASSERT_NE(f, nullptr);
    EXPECT_NEAR(f->gain.value(), 8, 0.5);
}

TEST(Coalescing, ScatteredLoadsOfAProductFillTheDataStageThemselves) {
    // naive with rows and columns swapped: the load/store data stage is full of the excess itself.
    Kernel k = naive();
    k.timed(150, 8.3e9).set("lsu_active", 92).set("l2_active", 15).set("issue_active", 6.3);
    k.set("fma_active", 4.3).set("sectors_per_request", 16.5, "").set("excess_sectors", 84.8);
    const Diagnosis d = k.diagnose();
    const Finding* f = finding(d, "coalescing");
    ASSERT_NE(f, nullptr);
    EXPECT_NEAR(f->gain.value(), 6.4, 0.5);  // measured: 150 ms -> 23.4 ms
    EXPECT_EQ(d.rule, "tensor_cores");
}

TEST(Coalescing, UnknownMinimumDoesNotHideExcess) {
    Kernel k = strided();
    k.profile.work.reset();
    k.without("dram_traffic_ratio");
    k.timed(1.0, 4.3e9).set("excess_sectors", 87.5).set("l2_hit_rate", 2);
    const Diagnosis d = k.diagnose();
    const Finding* f = finding(d, "coalescing");
    ASSERT_NE(f, nullptr);
    EXPECT_GT(f->gain.value(), 5);
    EXPECT_EQ(step(d, 5).state, StepState::not_applicable);
}

TEST(Coalescing, WideAccessesOfFullWarpsPass) {
    Kernel k = strided();
    k.set("sectors_per_request", 16, "").set("excess_sectors", 0);
    EXPECT_EQ(step(k.diagnose(), 2).state, StepState::pass);
}

TEST(Coalescing, DoesNotApplyWhereArithmeticBounds) {
    Kernel k = strided();
    k.set("fma_active", 92);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 2).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 2).why, "the FMA pipe is 92 % busy")) << step(d, 2).why;
    EXPECT_EQ(d.at_limit.value_or(""), "fma");
}

TEST(Coalescing, DoesNotApplyToAKernelThatWaitsForSomethingElse) {
    Kernel k = strided();
    k.timed(10, 121e6).set("l2_active", 0.6).set("l2_tag_active", 1.7).set("lsu_active", 0.7);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 2).state, StepState::not_applicable);
    EXPECT_EQ(finding(d, "coalescing"), nullptr);
}

TEST(Coalescing, AsksForTheExcessOnlyAboveFourSectors) {
    Kernel k = strided();
    k.without("excess_sectors");
    EXPECT_TRUE(wants(k.diagnose(), "excess_sectors"));
    k.without("sectors_per_request");
    Diagnosis d = k.diagnose();
    EXPECT_TRUE(wants(d, "sectors_per_request"));
    EXPECT_FALSE(wants(d, "excess_sectors"));
    k.set("sectors_per_request", 4, "");
    d = k.diagnose();
    EXPECT_FALSE(wants(d, "excess_sectors"));
    EXPECT_EQ(step(d, 2).state, StepState::pass);
}

TEST(Coalescing, UnsupportedIsNotMeasuredAndNotAskedForAgain) {
    Kernel k = strided();
    k.missing("excess_sectors", Status::unsupported, "this chip has no such counter");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 2).state, StepState::not_measured);
    EXPECT_EQ(step(d, 2).why, "excess_sectors: this chip has no such counter");
    EXPECT_FALSE(step(d, 2).value);
    EXPECT_FALSE(wants(d, "excess_sectors"));
}

TEST(Occupancy, FailsWhenFewWarpsWaitForMemory) {
    const Diagnosis d = hungry().diagnose();
    EXPECT_EQ(d.rule, "occupancy");
    EXPECT_EQ(step(d, 3).state, StepState::fail);
    ASSERT_EQ(d.findings.size(), 1U);
    EXPECT_NEAR(d.findings[0].gain.value(), 2.76, 0.1);  // the DRAM roof bounds before the warps do
    EXPECT_TRUE(holds(d.findings[0].gain_assumes, "then DRAM bounds")) << d.findings[0].gain_assumes;
    EXPECT_TRUE(holds(d.findings[0].advice, "160 per thread")) << d.findings[0].advice;
    EXPECT_EQ(step(d, 3).why, "limited by registers");
}

TEST(Occupancy, IsNotTheProblemOfABusyPipe) {
    Kernel k = hungry();
    k.set("fma_active", 72);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 3).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 3).why, "the FMA pipe is 72 % busy: more warps would not move the bound");
}

TEST(Occupancy, IsNotTheProblemWhereWarpsWaitForOtherThings) {
    Kernel k = hungry();
    k.set("stall_long_scoreboard", 5, "cycles");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 3).state, StepState::not_applicable);
    EXPECT_TRUE(d.findings.empty());
}

TEST(Occupancy, AsksForStallsBeforeItJudges) {
    Kernel k = hungry();
    k.without("stall_long_scoreboard").without("stall_lg_throttle").without("stall_drain");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 3).state, StepState::not_measured);
    EXPECT_TRUE(wants(d, "stall_long_scoreboard"));
    EXPECT_TRUE(d.findings.empty());
}

TEST(Occupancy, SmallGridIsToldToGrow) {
    Kernel k = hungry();
    k.occupancy->waves = 0.4;
    const Diagnosis d = k.diagnose();
    EXPECT_TRUE(holds(d.findings.at(0).advice, "The grid is too small")) << d.findings.at(0).advice;
}

TEST(Barriers, FailWhenWarpsWaitForEachOther) {
    const Diagnosis d = barriers().diagnose();
    EXPECT_EQ(d.rule, "barriers");
    EXPECT_EQ(step(d, 4).state, StepState::fail);
    ASSERT_EQ(d.findings.size(), 1U);
    // 17 of 33.8 cycles are barrier waits; what is left still has to be issued at 85 % of the peak.
    EXPECT_NEAR(d.findings[0].gain.value(), 1.89, 0.05);
    EXPECT_TRUE(holds(d.verdict, "17.0 cycles per instruction")) << d.verdict;
}

TEST(Barriers, PassUnmeasuredWhereAllWaitingIsShort) {
    Kernel k = barriers();
    k.without("stall_barrier").set("occupancy_achieved", 40).set("issue_active", 70);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 4).state, StepState::pass);
    EXPECT_NEAR(step(d, 4).value.value(), 9.14, 0.01);
    EXPECT_FALSE(wants(d, "stall_barrier"));
}

TEST(Barriers, NameLongLoadsWithoutBlamingThem) {
    Kernel k = hungry();
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 4).state, StepState::pass);
    EXPECT_TRUE(holds(step(d, 4).why, "44 cycles for loads")) << step(d, 4).why;
}

TEST(DramTraffic, FailsOnAMemoryBoundKernelWithoutReuse) {
    Kernel k = stream("gelu", 8.1, 2.147e9, 8.6e9);
    k.timed(2.0, 8.6e9);
    k.set("lsu_active", 8)
        .set("fma_active", 20)
        .set("alu_active", 12)
        .set("xu_active", 10)
        .set("fp64_active", 0);
    k.set("l1_bytes", 8.6e9, "B")
        .set("l2_bytes", 8.6e9, "B")
        .set("stall_long_scoreboard", 140, "cycles")
        .set("stall_lg_throttle", 0, "cycles");
    k.set("stall_drain", 3, "cycles");
    no_shared_waits(k);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.rule, "dram_traffic");
    EXPECT_NEAR(d.findings.at(0).gain.value(), 4, 0.2);
    EXPECT_TRUE(holds(d.verdict, "8.6 GB where 2.15 GB would do")) << d.verdict;
    EXPECT_EQ(d.findings.at(0).try_command, "");
}

TEST(DramTraffic, UnknownMinimumDoesNotApply) {
    Kernel k = stream("foreign", 2, 2e9, 8e9);
    k.profile.work.reset();
    k.without("dram_traffic_ratio");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 5).state, StepState::not_applicable);
    EXPECT_FALSE(wants(d, "dram_traffic_ratio"));
}

TEST(Findings, AreSortedAndNeverAddedUp) {
    const Diagnosis d = naive().diagnose();
    ASSERT_EQ(d.findings.size(), 2U);
    EXPECT_GT(d.findings[0].gain.value(), d.findings[1].gain.value());
    EXPECT_TRUE(std::any_of(d.notes.begin(), d.notes.end(),
                            [](const std::string& n) { return holds(n, "gains do not add up"); }));
}

TEST(Findings, EvidenceCarriesMetricValueAndThreshold) {
    const Diagnosis d = naive().diagnose();
    const Evidence& e = d.findings[0].evidence.at(0);
    EXPECT_EQ(e.metric, "tensor_active");
    EXPECT_DOUBLE_EQ(e.value.value(), 0.004);
    EXPECT_EQ(e.op, "<");
    EXPECT_DOUBLE_EQ(e.threshold.value(), 30);
    EXPECT_EQ(e.unit, "%");
}

}  // namespace
}  // namespace kprof::test
