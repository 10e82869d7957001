// The roofs that kprof ceilings measured: where a gain ends, and where a kernel is at its limit.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace kprof::test {
namespace {

Machine with_dram(double measured) {
    Machine m = h200();
    m.measured.clear();
    if (measured > 0) {
        Ceiling c = *m.bandwidth("dram");
        c.origin = "measured";
        c.value = measured;
        m.measured = {c};
    }
    return m;
}

// A copy of 2 GiB that reaches `bandwidth`, with as much traffic as it needs, or more.
Kernel copy_at(double bandwidth, double excess = 1) {
    Kernel k;
    k.profile.kernel.name = "copy";
    k.profile.work = Work{};
    k.profile.work->min_bytes = 2.0 * (1 << 30);
    const double bytes = excess * k.profile.work->min_bytes;
    k.timed(bytes / bandwidth * 1e3, bytes);
    k.set("l2_active", 40).set("issue_active", 10).set("tensor_active", 0).set("barrier_share", 0);
    k.set("sectors_per_request", 4, "sectors").set("excess_sectors", 0).set("occupancy_achieved", 90);
    k.set("fma_active", 1).set("alu_active", 5).set("lsu_active", 10).set("l2_hit_rate", 50);
    k.set("stall_long_scoreboard", 30, "cycles").set("stall_barrier", 0, "cycles");
    k.set("stall_lg_throttle", 0, "cycles").set("stall_drain", 0, "cycles").set("l2_bytes", bytes, "B");
    k.set("fp64_active", 0).set("xu_active", 0).set("l1_bytes", bytes, "B").set("sm_clock_hz", 1.98e9, "Hz");
    no_shared_waits(k);
    return k;
}

Diagnosis on(const Machine& m, const Kernel& k) {
    return diagnose({k.profile, k.metrics, &m, &k.placement, &k.occupancy}, rules());
}

TEST(MeasuredRoofs, TheVerdictAtTheLimitTellsBothShares) {
    const Kernel k = copy_at(4.3e12);
    const Diagnosis published = on(with_dram(0), k);
    ASSERT_EQ(published.at_limit.value_or(""), "dram") << published.verdict;
    EXPECT_EQ(published.verdict.find("measured"), std::string::npos) << published.verdict;
    const Diagnosis both = on(with_dram(4.4e12), k);
    ASSERT_EQ(both.at_limit.value_or(""), "dram") << both.verdict;
    EXPECT_NE(both.verdict.find("90 % busy"), std::string::npos) << both.verdict;
    EXPECT_NE(both.verdict.find("98 % of the roof measured"), std::string::npos) << both.verdict;
}

TEST(MeasuredRoofs, TheLimitLiesWhereTooLittleIsLeftToTheMeasuredRoof) {
    // 79 % of the published roof; a board that reaches no more than 81 % has nothing left to give.
    const Kernel k = copy_at(3.8e12);
    EXPECT_FALSE(on(with_dram(0), k).at_limit);
    EXPECT_FALSE(on(with_dram(4.5e12), k).at_limit);
    EXPECT_EQ(on(with_dram(3.9e12), k).at_limit.value_or(""), "dram");
}

TEST(MeasuredRoofs, AGainThatEndsAtDramEndsAtTheMeasuredRoofAndSaysSo) {
    Kernel k = copy_at(4.0e12, 8);
    // Nothing but DRAM is near, and all waiting is for it: occupancy over issue are 288 cycles.
    k.set("issue_active", 5)
        .set("stall_long_scoreboard", 285, "cycles")
        .set("alu_active", 1)
        .set("lsu_active", 1);
    k.set("l1_bytes", 2.0 * (1 << 30), "B");
    const auto gain = [&](const Machine& m) -> Finding {
        const Diagnosis d = on(m, k);
        for (const Finding& f : d.findings) {
            if (f.rule == "dram_traffic") return f;
        }
        ADD_FAILURE() << d.verdict << testing::PrintToString(d.notes)
                      << testing::PrintToString(d.steps.back().why);
        return {};
    };
    const Finding published = gain(with_dram(0)), measured = gain(with_dram(4.1e12));
    ASSERT_TRUE(published.gain && measured.gain);
    EXPECT_LT(*measured.gain, *published.gain);
    EXPECT_EQ(published.gain_assumes.find("measured"), std::string::npos) << published.gain_assumes;
    EXPECT_NE(measured.gain_assumes.find("kprof ceilings measured"), std::string::npos)
        << measured.gain_assumes;
}

TEST(MeasuredRoofs, AKernelAtTheMeasuredL2PlateauIsAtItsLimit) {
    Kernel k = copy_at(1e12);
    const double seconds = k.metrics.at("time").value * 1e-9;
    k.set("l2_sm_bytes", 5.4e12 * seconds, "B").set("l2_active", 60);
    Machine m = with_dram(0);
    EXPECT_NE(on(m, k).at_limit.value_or(""), "l2");
    Ceiling l2 = *m.bandwidth("dram");
    l2.name = "l2";
    l2.value = 5.5e12;
    m.measured = {l2};
    EXPECT_EQ(on(m, k).at_limit.value_or(""), "l2");
    // Faster than the loop that measured it: no contradiction, the most is 100 %.
    k.set("l2_sm_bytes", 7e12 * seconds, "B");
    EXPECT_EQ(on(m, k).status, "ok");
}

}  // namespace
}  // namespace kprof::test
