#include "collect/counter_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kprof {
namespace {

TEST(CounterGroups, SassCountersGoApart) {
    const CounterGroups g =
        group_counters({"dram__bytes_read.sum", "smsp__sass_inst_executed.sum",
                        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum", "sm__cycles_active.avg"});
    EXPECT_EQ(g.hardware, (std::vector<std::string>{"dram__bytes_read.sum", "sm__cycles_active.avg"}));
    EXPECT_EQ(g.sass, (std::vector<std::string>{"sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                                "smsp__sass_inst_executed.sum"}));
}

TEST(CounterGroups, BaseMetricEndsAtTheFirstDot) {
    EXPECT_EQ(base_metric("dram__bytes.sum.peak_sustained_elapsed.per_second"), "dram__bytes");
    EXPECT_EQ(base_metric("dram__bytes"), "dram__bytes");
}

TEST(CounterGroups, OnlyPlainSumsAddUpOverKernels) {
    EXPECT_EQ(combine_ranges("dram__bytes_read.sum", {1, 2, 4}, {}), 7.0);
    EXPECT_EQ(combine_ranges("sm__cycles_active.avg", {1, 2}, {}), 3.0);
    EXPECT_EQ(combine_ranges("gpc__cycles_elapsed.max", {10, 20}, {}), 30.0);
    EXPECT_EQ(combine_ranges("l1tex__data_bank_reads.max", {10, 20}, {1, 1}), std::nullopt);
    // Rates need the kernels' times: 2 B/s for 3 s and 1 B/s for 1 s are 7 B in 4 s.
    EXPECT_EQ(combine_ranges("dram__bytes_read.sum.per_second", {1, 2}, {}), std::nullopt);
    EXPECT_EQ(combine_ranges("dram__bytes_read.sum.per_second", {2, 1}, {3, 1}), 1.75);
    EXPECT_EQ(combine_ranges("l1tex__t_sector_hit_rate.pct", {50, 100}, {1, 1}), 75.0);
    // A kernel without accesses has no hit rate, and no part in the mean.
    EXPECT_EQ(combine_ranges("l1tex__t_sector_hit_rate.pct", {50, std::nan("")}, {1, 9}), 50.0);
    EXPECT_EQ(combine_ranges("l1tex__t_sector_hit_rate.pct", {50}, {}), 50.0);
    EXPECT_EQ(combine_ranges("dram__bytes_read.sum", {}, {}), std::nullopt);
}

TEST(ReplayCheck, TellsWorkThatChanges) {
    ReplayCheck check;
    EXPECT_EQ(check.note("smsp__inst_executed.sum", 1.2e9), "");
    EXPECT_EQ(check.note("smsp__inst_executed.sum", 1.2005e9), "");  // 0.04 %
    const std::string text = check.note("smsp__inst_executed.sum", 1.3e9);
    EXPECT_NE(text.find("1.2e+09"), std::string::npos) << text;
    EXPECT_NE(text.find("1.3e+09"), std::string::npos) << text;
}

TEST(ReplayCheck, ToleratesNoiseOfIssuedInstructionsAndIgnoresOtherCounters) {
    ReplayCheck check;
    EXPECT_EQ(check.note("smsp__inst_issued.sum", 1.00e9), "");
    EXPECT_EQ(check.note("smsp__inst_issued.sum", 1.01e9), "");
    EXPECT_NE(check.note("smsp__inst_issued.sum", 1.05e9), "");
    EXPECT_EQ(check.note("dram__bytes_read.sum", 1), "");
    EXPECT_EQ(check.note("dram__bytes_read.sum", 2), "");
    EXPECT_EQ(check.note("smsp__inst_executed.sum", std::numeric_limits<double>::quiet_NaN()), "");
    EXPECT_EQ(check.note("smsp__inst_executed.sum", 5), "");
}

}  // namespace
}  // namespace kprof
