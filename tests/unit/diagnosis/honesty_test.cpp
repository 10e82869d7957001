// What is not known is not said: gains, leads and states that missing or impossible numbers would make up.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace kprof::test {
namespace {

bool notes_hold(const Diagnosis& d, const std::string& part) {
    return std::any_of(d.notes.begin(), d.notes.end(),
                       [&part](const std::string& n) { return holds(n, part); });
}

Kernel only_dram() {
    Kernel k = naive();
    k.timed(23.4, 30e9);
    for (auto it = k.metrics.begin(); it != k.metrics.end();) {
        const bool stays = it->first == "time" || it->first.rfind("dram", 0) == 0;
        it = stays ? std::next(it) : k.metrics.erase(it);
    }
    return k;
}

TEST(Unseen, BoundsGiveNoGainAndNoLead) {
    const Diagnosis d = only_dram().diagnose();
    EXPECT_EQ(d.status, "inconclusive");
    EXPECT_EQ(d.rule, "");
    const Finding* f = finding(d, "dram_traffic");
    ASSERT_NE(f, nullptr);
    EXPECT_FALSE(f->gain);
    EXPECT_EQ(f->gain_assumes, "");
    EXPECT_TRUE(holds(d.verdict, "tensor cores, coalescing, occupancy, barrier stalls")) << d.verdict;
    EXPECT_TRUE(notes_hold(d, "the L2 cache"));
    EXPECT_TRUE(wants(d, "l2_active"));
    EXPECT_TRUE(wants(d, "stall_long_scoreboard"));
}

TEST(Unseen, AnyBoundOrWaitKeepsTheGainOpen) {
    for (const char* metric : {"fma_active", "l1_bytes", "xu_active", "lsu_active", "stall_long_scoreboard",
                               "stall_mio_throttle", "l2_active", "issue_active"}) {
        Kernel k = naive();
        k.timed(23.4, 30e9).without(metric);
        if (std::string(metric) == "l2_active") k.without("l2_bytes");
        const Diagnosis d = k.diagnose();
        const Finding* f = finding(d, "dram_traffic");
        ASSERT_NE(f, nullptr) << metric;
        EXPECT_FALSE(f->gain) << metric;
        EXPECT_EQ(d.rule, "tensor_cores") << metric;
    }
}

TEST(Unseen, SharedMemoryThatNobodyWaitsForIsNoBound) {
    EXPECT_TRUE(finding(naive().diagnose(), "dram_traffic")->gain);
    Kernel k = naive();
    k.set("stall_mio_throttle", 9, "cycles");
    EXPECT_FALSE(finding(k.diagnose(), "dram_traffic")->gain);
    EXPECT_TRUE(wants(k.diagnose(), "shared_wavefronts"));
}

TEST(Unseen, BoundDoesNotMatterWhereAnotherHoldsAnyway) {
    // Whatever the special-function pipe does, the load/store pipe leaves nothing to gain.
    Kernel k = tiled();
    k.without("xu_active");
    EXPECT_EQ(step(k.diagnose(), 5).state, StepState::not_applicable);
}

TEST(Unseen, StepsAreNamedWhereNothingFails) {
    Kernel k = hungry();
    k.set("occupancy_achieved", 60).missing("stall_barrier", Status::unsupported, "no such counter");
    k.occupancy.reset();
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "ok");
    EXPECT_TRUE(holds(d.verdict, "None of the steps that could be judged fails (open: barrier stalls)"))
        << d.verdict;
}

TEST(Order, UnknownGainStandsBySeverityAndStep) {
    Kernel k = naive();
    k.known_machine = false;
    k.set("sm_count", 132, "").set("warps_per_scheduler", 16, "");
    const Diagnosis d = k.diagnose();
    ASSERT_EQ(d.findings.size(), 2U);
    EXPECT_FALSE(d.findings[0].gain);
    EXPECT_TRUE(d.findings[1].gain);
    EXPECT_EQ(d.rule, "tensor_cores");
}

TEST(Advice, NeverNamesTheKernelAtHand) {
    for (const Kernel& k : {naive(), tiled(), wmma(), cublas_fp32()}) {
        const KernelId& id = k.profile.kernel;
        const std::string own = "--variant " + id.variant + " --dtype " + id.dtype + " ";
        for (const Finding& f : k.diagnose().findings) {
            EXPECT_FALSE(holds(f.try_command, own)) << f.rule << ": " << f.try_command;
        }
    }
    Kernel k = gemm("cublas", "fp32", 4096);
    k.metrics = naive().metrics;
    const Diagnosis d = k.diagnose();
    ASSERT_NE(finding(d, "dram_traffic"), nullptr);
    EXPECT_EQ(finding(d, "dram_traffic")->try_command, "");
}

TEST(Advice, SpeaksOfLargerTilesWhereThereAreTiles) {
    Kernel k = naive();
    EXPECT_TRUE(holds(finding(k.diagnose(), "dram_traffic")->advice, "Tile: let"));
    k.profile.launch.smem_static = 8192;
    k.profile.launch.smem_dynamic = 0;
    const Diagnosis d = k.diagnose();
    EXPECT_TRUE(holds(finding(d, "dram_traffic")->advice, "Use larger tiles"));
    EXPECT_EQ(finding(d, "dram_traffic")->try_command,
              "kprof run gemm --variant cublas --dtype fp32 --shape 4096");
}

TEST(Applies, IsAskedBeforeTheNumber) {
    Kernel k = stream("copy", 0.4922, 2.147e9, 2.15e9);
    const Diagnosis staged = k.diagnose();
    k.set("sectors_per_request", 16, "").set("excess_sectors", 0).set("stall_barrier", 0, "cycles");
    k.set("lsu_active", 16).set("fma_active", 2).set("stall_long_scoreboard", 120, "cycles");
    const Diagnosis full = k.diagnose();
    for (int n = 1; n <= 5; ++n) EXPECT_EQ(step(staged, n).state, step(full, n).state) << n;
    EXPECT_EQ(step(full, 2).state, StepState::not_applicable);
    EXPECT_EQ(step(full, 4).state, StepState::not_applicable);
}

TEST(Coalescing, AFewStraySectorsAreNoTraffic) {
    Kernel k = cublas_small("tf32", 2048, 0.0501, 70);
    k.set("lsu_global_sectors", 1, "").set("l2_bytes", 3.2e8, "B");
    k.set("sectors_per_request", 0, "").set("excess_sectors", 0);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 2).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 2).why, "it comes by TMA")) << step(d, 2).why;
}

TEST(Limit, IsWhatTheStepsName) {
    Kernel k = cublas("fp16", 8192, 1.391, 93.2);
    k.set("lsu_active", 94.5);
    k.timed(1.391, 3.44 * k.profile.work->min_bytes);
    k.set("shared_wavefronts", 0.95 * 132 * 1.64e9 * 1.391e-3, "");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.at_limit.value_or(""), "tensor");
    EXPECT_TRUE(holds(step(d, 3).why, "the tensor pipe is 93 % busy")) << step(d, 3).why;
    EXPECT_TRUE(holds(step(d, 5).why, "the tensor pipe is 93 % busy")) << step(d, 5).why;
    EXPECT_TRUE(notes_hold(d, "the load/store pipe (94 %) and shared memory (95 %)"));
}

TEST(Clock, NoteGivesTheRoofAtTheClockHeld) {
    Kernel k = cublas("bf16", 4096, 0.1710, 90.2);
    k.set("sm_clock_hz", 1.625e9, "Hz");
    const Diagnosis d = k.diagnose();
    // 989.4 TFLOP/s stand for 1830 MHz; 1625 MHz leave 879, and 2 * 4096^3 in 171 us are 804.
    EXPECT_TRUE(notes_hold(d, "1625 MHz while the kernel ran; the BF16 roof stands for 1830 MHz"));
    EXPECT_TRUE(notes_hold(d, "At the clock held it is 879 TFLOP/s, of which the kernel reaches 91 %"));
    k.set("sm_clock_hz", 1.80e9, "Hz");
    EXPECT_FALSE(notes_hold(k.diagnose(), "roof stands for"));
}

TEST(Doubt, TimesThatNoKernelTakes) {
    for (const double ns : {1e-300, 1e-3, 99.0, 1e16, 1e300}) {
        Kernel k = naive();
        k.set("time", ns, "ns", Origin::timer);
        RooflinePoint point;
        point.above_roof = true;
        point.fraction = 1e9;
        k.placement.points.push_back(point);
        const Diagnosis d = k.diagnose();
        EXPECT_EQ(d.status, "inconclusive") << ns;
        EXPECT_TRUE(d.findings.empty());
        EXPECT_TRUE(holds(d.verdict, "cannot be true")) << d.verdict;
    }
    Kernel k = naive();
    k.missing("time", Status::failed, "boom");
    EXPECT_EQ(k.diagnose().status, "inconclusive");
    EXPECT_TRUE(holds(k.diagnose().verdict, "(boom)")) << k.diagnose().verdict;
}

TEST(Doubt, LessTrafficThanTheCacheCanExplain) {
    Kernel k = stream("copy", 0.6, 2.147e9, 2.15e9);
    k.profile.work->min_bytes = 1e300;
    k.timed(0.6, 2.15e9);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "inconclusive");
    EXPECT_EQ(step(d, 5).state, StepState::not_measured);
    EXPECT_TRUE(holds(d.verdict, "contradicts itself")) << d.verdict;
    EXPECT_FALSE(notes_hold(d, "part of the data was in the L2 cache"));
}

TEST(Doubt, SmallKernelsMayStayInTheCache) {
    Kernel k = stream("copy", 0.02, 50e6, 1e6);
    k.profile.provenance.cache = "warm";
    EXPECT_EQ(step(k.diagnose(), 5).state, StepState::pass);
    // A bound of the work is no minimum.
    k = stream("copy", 0.6, 2.147e9, 1e8);
    k.profile.work->origin = "bound";
    EXPECT_EQ(step(k.diagnose(), 5).state, StepState::pass);
}

TEST(Doubt, WithoutTheCacheSizeARatioFarBelowOneIsDoubted) {
    Kernel k = stream("copy", 0.6, 2.147e9, 5e8);
    k.known_machine = false;
    k.profile.provenance.cache = "cold";
    EXPECT_EQ(step(k.diagnose(), 5).state, StepState::not_measured);
    k.profile.provenance.cache = "warm";
    EXPECT_EQ(step(k.diagnose(), 5).state, StepState::pass);
}

TEST(Doubt, OccupancyAboveWhatTheLaunchAllows) {
    Kernel k = hungry();
    k.set("occupancy_achieved", 99.9);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 3).state, StepState::not_measured);
    EXPECT_TRUE(holds(step(d, 3).why, "99.9 % was measured where the launch allows 18.8 %"))
        << step(d, 3).why;
    EXPECT_EQ(d.status, "inconclusive");
}

TEST(Doubt, MoreWaitingAtBarriersThanInAll) {
    Kernel k = barriers();
    k.set("stall_barrier", 1e4, "cycles");
    EXPECT_EQ(step(k.diagnose(), 4).state, StepState::not_measured);
    EXPECT_EQ(finding(k.diagnose(), "barriers"), nullptr);
}

TEST(ModelOnly, KernelsWithoutArithmeticHaveNoIntensity) {
    Kernel k = stream("copy", 1, 2.147e9, 0);
    k.metrics.clear();
    k.set("flops", 0, "FLOP", Origin::model);
    k.profile.provenance.kind = "model";
    EXPECT_TRUE(holds(k.diagnose().verdict, "its least traffic of 2.15 GB needs at least"));
    EXPECT_FALSE(holds(k.diagnose().verdict, "ridge")) << k.diagnose().verdict;
    k.profile.work->min_bytes = 8;
    EXPECT_TRUE(holds(k.diagnose().verdict, "its launch")) << k.diagnose().verdict;
}

TEST(Numbers, NeverRunToHundredsOfDigits) {
    Kernel k = naive();
    RooflinePoint point;
    point.level = "dram";
    point.bound = "memory";
    point.fraction = 1e280;
    point.above_roof = true;
    k.placement.points.push_back(point);
    const Diagnosis d = k.diagnose();
    EXPECT_LT(d.verdict.size(), 300U) << d.verdict;
    EXPECT_FALSE(holds(d.verdict, "kprof ceilings"));
}

}  // namespace
}  // namespace kprof::test
