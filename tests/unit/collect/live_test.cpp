// What live collection answers on a machine without a usable GPU, in builds with and without CUDA. On a
// machine with one, the GPU test takes over.
#include "collect/live.hpp"

#include <gtest/gtest.h>

namespace kprof {
namespace {

KernelPlan no_plan(const KernelRequest&) {
    return {};
}

TEST(Live, WithoutAGpuSaysWhyAndWhatToDo) {
    const GpuLook look = look_for_gpu();
    if (look.usable) GTEST_SKIP() << "this machine has a usable GPU";
    EXPECT_FALSE(look.why_not.empty());
    EXPECT_FALSE(look.remedy.empty());
    EXPECT_FALSE(look.device.has_value() && look.device->name.empty());
    try {
        make_live_source(no_plan);
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::environment);
        EXPECT_FALSE(e.hint().empty());
    }
}

TEST(Live, DoctorGivesEveryProblemARemedy) {
    const std::vector<Check> checks = doctor_checks();
    ASSERT_FALSE(checks.empty());
    for (const Check& c : checks) {
        EXPECT_TRUE(c.state == "ok" || c.state == "warning" || c.state == "bad" || c.state == "skipped")
            << c.state;
        EXPECT_FALSE(c.detail.empty()) << c.name;
        if (c.state == "bad" || c.state == "warning") {
            EXPECT_FALSE(c.remedy.empty()) << c.name;
        }
    }
}

TEST(Live, RuntimeVersionsAreNamed) {
    for (const std::string& v : runtime_versions()) {
        EXPECT_TRUE(v.rfind("driver ", 0) == 0 || v.rfind("CUPTI ", 0) == 0) << v;
    }
}

}  // namespace
}  // namespace kprof
