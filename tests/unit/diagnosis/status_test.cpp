// Kernels that must not be judged, and how that is said.
#include <gtest/gtest.h>

#include <chrono>

#include "kernels.hpp"

namespace kprof::test {
namespace {

void expect_no_judgement(const Diagnosis& d, StepState state) {
    EXPECT_TRUE(d.findings.empty());
    EXPECT_TRUE(d.wanted.empty());
    EXPECT_EQ(d.rule, "");
    EXPECT_FALSE(d.at_limit);
    ASSERT_EQ(d.steps.size(), 5U);
    for (const Step& s : d.steps) {
        EXPECT_EQ(s.state, state) << s.rule;
        EXPECT_FALSE(s.why.empty());
    }
}

TEST(Status, WrongResultIsNotDiagnosed) {
    Kernel k = naive();
    k.profile.verification.status = "wrong";
    k.profile.verification.error = 0.31;
    k.profile.verification.tolerance = 1e-5;
    RooflinePoint point;
    point.above_roof = true;
    point.fraction = 2;
    k.placement.points.push_back(point);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "wrong_result");
    EXPECT_EQ(
        d.verdict,
        "The result is wrong: relative error 0.31, tolerance 1e-05. A wrong kernel is not diagnosed; correct "
        "it first.");
    expect_no_judgement(d, StepState::not_applicable);
}

TEST(Status, PointAboveItsRoofIsOurFault) {
    Kernel k = naive();
    RooflinePoint point;
    point.level = "dram";
    point.bound = "memory";
    point.fraction = 1.24;
    point.above_roof = true;
    k.placement.points.push_back(point);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "above_roof");
    EXPECT_TRUE(holds(d.verdict, "24 % above its DRAM roof")) << d.verdict;
    expect_no_judgement(d, StepState::not_measured);
}

TEST(Status, WhatIfPointsAreNoFault) {
    Kernel k = naive();
    RooflinePoint point;
    point.above_roof = true;
    point.what_if = true;
    point.fraction = 1.24;
    k.placement.points.push_back(point);
    EXPECT_EQ(k.diagnose().status, "ok");
}

TEST(Status, FailureIsNotMeasured) {
    Kernel k = naive();
    k.metrics.clear();
    k.profile.failure = "the launch failed (too many resources requested)";
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "not_measured");
    EXPECT_TRUE(holds(d.verdict, "too many resources requested"));
    expect_no_judgement(d, StepState::not_measured);
}

TEST(Status, TinyKernelIsLaunchLatency) {
    Kernel k = stream("add", 0.0036, 1e6, 1e6);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "too_small");
    EXPECT_TRUE(holds(d.verdict, "Too small to diagnose: 3.600 µs is launch latency")) << d.verdict;
    expect_no_judgement(d, StepState::not_applicable);
}

TEST(Status, ModelSpeaksFromTheRoofline) {
    Kernel k = gemm("cublas", "bf16", 4096);
    k.metrics.clear();
    k.profile.provenance.kind = "model";
    Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "ok");
    EXPECT_TRUE(holds(d.verdict, "bound by BF16 arithmetic")) << d.verdict;
    EXPECT_TRUE(holds(d.verdict, "138.9 µs")) << d.verdict;
    EXPECT_TRUE(holds(d.verdict, "This is a model"));
    expect_no_judgement(d, StepState::not_measured);

    k.profile.work = Work{2.7e8, 3.2e9, "fp32", false, "model"};
    d = k.diagnose();
    EXPECT_TRUE(holds(d.verdict, "bound by DRAM")) << d.verdict;
    k.profile.work = Work{0, 3.2e9, "fp32", false, "model"};
    EXPECT_TRUE(holds(k.diagnose().verdict, "bound by DRAM"));
    k.profile.work.reset();
    EXPECT_TRUE(holds(k.diagnose().verdict, "nothing can be said"));
}

TEST(Status, NoCountersLeavesTheBoundOpenAndAsks) {
    Kernel k = naive();
    k.metrics.clear();
    k.profile.time = Measurement::of("time", 23.4e6, "ns", Origin::timer);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "not_measured");
    EXPECT_TRUE(holds(d.verdict, "No counters were read")) << d.verdict;
    EXPECT_TRUE(holds(d.verdict, "8.8 % of that roof")) << d.verdict;
    EXPECT_TRUE(wants(d, "tensor_active"));
    EXPECT_TRUE(wants(d, "occupancy_achieved"));
    EXPECT_TRUE(wants(d, "dram_bytes"));
}

TEST(Status, OneCounterIsInconclusive) {
    Kernel k = naive();
    k.metrics.clear();
    k.set("instructions", 9.8e9, "");
    EXPECT_EQ(k.diagnose().status, "inconclusive");
}

TEST(Status, NothingBusySaysSo) {
    Kernel k = hungry();
    k.set("occupancy_achieved", 60);
    k.occupancy.reset();
    const Diagnosis d = k.diagnose();
    EXPECT_TRUE(d.findings.empty());
    EXPECT_FALSE(d.at_limit);
    EXPECT_TRUE(holds(d.verdict, "nothing is busy")) << d.verdict;
}

TEST(BoundModel, NamesEveryResourceWithATimeOrAReason) {
    const Diagnosis d = naive_first_stage().diagnose();
    ASSERT_GE(d.bound_model.size(), 10U);
    for (const ResourceTime& r : d.bound_model) {
        EXPECT_NE(r.time_ns.has_value(), !r.why_missing.empty()) << r.resource;
        if (r.resource == "dram") {
            EXPECT_NEAR(r.time_ns.value(), 1.729e6, 1e3);
        }
        if (r.resource == "lsu") {
            EXPECT_EQ(r.why_missing, "needs lsu_active");
        }
    }
}

TEST(Speed, AThousandDiagnosesTakeUnderHalfASecond) {
    const Kernel k = naive();
    (void)k.diagnose();
    const auto start = std::chrono::steady_clock::now();
    std::size_t findings = 0;
    for (int i = 0; i < 1000; ++i) findings += k.diagnose().findings.size();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(findings, 2000U);
    EXPECT_LT(took.count(), 0.5);
}

}  // namespace
}  // namespace kprof::test
