// CUPTI's host side against the real library: names and passes need no GPU.
#ifdef KPROF_WITH_CUDA
#include "collect/cuda/cupti_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collect/counter_groups.hpp"
#include "collect/cuda/clocks.hpp"
#include "collect/cuda/driver.hpp"
#include "collect/cuda/dynlib.hpp"
#include "collect/cuda/l2_flush.hpp"
#include "collect/cuda/launch_facts.hpp"
#include "collect/cuda/timing.hpp"
#include "core/demangle.hpp"

namespace kprof {
namespace {

class CuptiHostTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!cupti_state().usable) GTEST_SKIP() << cupti_state().why_not;
        host.emplace("GH100", std::vector<std::uint8_t>{});
    }
    std::optional<CuptiHost> host;
};

TEST_F(CuptiHostTest, FindsItsOwnVersionAndTheHostLibrary) {
    EXPECT_GE(cupti_state().version, 19U);
    EXPECT_FALSE(cupti_state().path.empty());
    EXPECT_NE(cupti_state().host_library.find("libnvperf_host.so"), std::string::npos);
}

TEST_F(CuptiHostTest, KnowsTheChipsCounters) {
    EXPECT_TRUE(host->known("dram__bytes_read.sum"));
    EXPECT_TRUE(host->known("l1tex__t_sector_hit_rate.pct"));
    EXPECT_TRUE(host->known("sm__throughput.avg.pct_of_peak_sustained_elapsed"));
    EXPECT_FALSE(host->known("launch__occupancy_limit_registers"));
}

TEST_F(CuptiHostTest, OneConfigurationForGoodNames) {
    const auto plan = host->schedule({"gpu__time_duration.sum", "dram__bytes_read.sum",
                                      "dram__bytes_write.sum", "sm__cycles_elapsed.avg.per_second"});
    ASSERT_EQ(plan.configs.size(), 1U);
    EXPECT_EQ(plan.configs[0]->passes(), 1U);
    EXPECT_FALSE(plan.configs[0]->image().empty());
    EXPECT_TRUE(plan.rejected.empty());
}

TEST_F(CuptiHostTest, FindsBadNamesAmongGoodOnes) {
    const std::vector<std::string> names = {"gpu__time_duration.sum", "dram__bytes_read.sum.no_such_suffix",
                                            "dram__bytes_write.sum",
                                            "sm__cycles_active",  // no rollup
                                            "lts__t_sectors.sum"};
    const auto plan = host->schedule(names);
    ASSERT_EQ(plan.configs.size(), 1U);
    EXPECT_EQ(plan.configs[0]->names().size(), 3U);
    EXPECT_EQ(plan.rejected.size(), 2U);
    EXPECT_NE(std::find(plan.rejected.begin(), plan.rejected.end(), names[1]), plan.rejected.end());
    EXPECT_NE(std::find(plan.rejected.begin(), plan.rejected.end(), names[3]), plan.rejected.end());
}

TEST_F(CuptiHostTest, OnlyBadNamesGiveNoConfiguration) {
    const auto plan = host->schedule({"dram__bytes_read.nonsense"});
    EXPECT_TRUE(plan.configs.empty());
    EXPECT_EQ(plan.rejected.size(), 1U);
    EXPECT_TRUE(host->schedule({}).configs.empty());
}

TEST_F(CuptiHostTest, ExtrasAreAddedOnlyWhenTheyCostNoPass) {
    const std::vector<std::string> small = {"gpu__time_duration.sum"};
    const auto with = host->with_free_extras(small, {"smsp__inst_executed.sum", "no__such.sum"});
    EXPECT_EQ(with, (std::vector<std::string>{"gpu__time_duration.sum", "smsp__inst_executed.sum"}));
    EXPECT_EQ(host->with_free_extras(with, {"smsp__inst_executed.sum"}), with);

    // SASS counters always take a pass of their own.
    const std::vector<std::string> sass = {"smsp__sass_inst_executed.sum"};
    EXPECT_EQ(host->with_free_extras(sass, {"smsp__inst_executed.sum"}), sass);
}

TEST_F(CuptiHostTest, AnUnknownChipIsAnErrorWithARemedy) {
    try {
        const CuptiHost unknown("gh100", {});
        FAIL() << "no error";
    } catch (const CuptiError& e) {
        EXPECT_EQ(e.code(), ExitCode::environment);
        EXPECT_EQ(e.status(), CUPTI_ERROR_INVALID_CHIP_NAME);
        EXPECT_NE(std::string(e.what()).find("cuptiProfilerHostInitialize"), std::string::npos);
        EXPECT_FALSE(e.hint().empty());
    }
}

TEST(CuptiApi, VersionNumbersOfBothSchemes) {
    EXPECT_EQ(cupti_version_text(130001), "13.0.1");
    EXPECT_EQ(cupti_version_text(130300), "13.3.0");
    EXPECT_EQ(cupti_version_text(24), "12.6");
    EXPECT_EQ(cuda_version_text(13000), "13.0");
    EXPECT_EQ(cuda_version_text(12080), "12.8");
    EXPECT_EQ(cuda_version_text(0), "");
}

TEST(CuptiApi, PermissionErrorsRefuseAllAndNameTheRemedy) {
    try {
        check(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "cuptiProfilerGetCounterAvailability");
        FAIL() << "no error";
    } catch (const CuptiError& e) {
        EXPECT_TRUE(e.refuses_all());
        EXPECT_NE(std::string(e.what()).find("cuptiProfilerGetCounterAvailability"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("(35)"), std::string::npos);
    }
    const CuptiError bad_name(CUPTI_ERROR_INVALID_PARAMETER, "x", "");
    EXPECT_FALSE(bad_name.refuses_all());
    EXPECT_NO_THROW(check(CUPTI_SUCCESS, "x"));
}

TEST(DynamicLibrary, TellsEveryPathThatWasTried) {
    const DynamicLibrary none = DynamicLibrary::open({{"libkprof-no-such.so.1"}, {"/nowhere"}, false, false});
    EXPECT_FALSE(none.loaded());
    EXPECT_EQ(none.symbol("x"), nullptr);
    std::string all;
    for (const std::string& line : none.tried()) all += line + "\n";
    EXPECT_NE(all.find("/nowhere/libkprof-no-such.so.1"), std::string::npos) << all;
    const DynamicLibrary libm = DynamicLibrary::open({{"libm.so.6"}, {}, false, false});
    ASSERT_TRUE(libm.loaded());
    EXPECT_NE(libm.symbol("cos"), nullptr);
    EXPECT_EQ(libm.path().front(), '/');
}

TEST(LaunchFacts, Demangles) {
    EXPECT_EQ(demangled("_Z1fIiEvPf"), "void f<int>(float*)");
    EXPECT_EQ(demangled("not_mangled"), "not_mangled");
    EXPECT_EQ(demangled(""), "");
}

TEST(Clocks, ThrottleReasonsByName) {
    EXPECT_EQ(throttle_names(0x1), "");  // idle
    EXPECT_EQ(throttle_names(0x4 | 0x20), "power cap, thermal");
}

TEST(L2Flush, BufferIsMoreThanTwiceTheCache) {
    EXPECT_GT(L2Flush::bytes_for(50 << 20), std::int64_t{2} * (50 << 20));
    EXPECT_GT(L2Flush::bytes_for(0), 0);
}

TEST(Timing, MeasurementFromRepeats) {
    Timing timing;
    EXPECT_EQ(time_measurement(timing).status, Status::not_collected);
    timing.ns = {0, 0, 0};
    EXPECT_EQ(time_measurement(timing).status, Status::failed);
    timing.ns = {1000, 1000, 1010};
    const Measurement m = time_measurement(timing);
    EXPECT_DOUBLE_EQ(m.value, 1000);
    EXPECT_EQ(m.origin, Origin::timer);
    EXPECT_NEAR(m.spread.value(), 0.0025, 1e-9);
}

}  // namespace
}  // namespace kprof
#endif
