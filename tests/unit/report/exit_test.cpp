#include "support.hpp"

namespace kprof {
namespace {

using namespace test;

Analysed with_status(const std::string& status, const std::string& kind = "live") {
    Analysed a = naive_gemm();
    a.diagnosis.status = status;
    a.profile.provenance.kind = kind;
    return a;
}

TEST(ExitOf, OkWhenEveryKernelHasAVerdict) {
    EXPECT_EQ(exit_of({{naive_gemm(), recorded_copy()}, {}}), ExitCode::ok);
    EXPECT_EQ(exit_of({{with_status("too_small")}, {}}), ExitCode::ok);
}

TEST(ExitOf, InconclusiveIsNeverAPass) {
    for (const char* status : {"not_measured", "inconclusive", "above_roof"}) {
        EXPECT_EQ(exit_of({{naive_gemm(), with_status(status)}, {}}), ExitCode::inconclusive) << status;
    }
    Analysed failed = naive_gemm();
    failed.profile.failure = "no permission";
    EXPECT_EQ(exit_of({{failed}, {}}), ExitCode::inconclusive);
    EXPECT_EQ(exit_of({}), ExitCode::inconclusive);
}

TEST(ExitOf, AWrongResultOutranksAll) {
    EXPECT_EQ(exit_of({{with_status("not_measured"), wrong_gemm()}, {}}), ExitCode::wrong_result);
    Analysed above = wrong_gemm();
    above.diagnosis.status = "above_roof";
    EXPECT_EQ(exit_of({{above}, {}}), ExitCode::wrong_result);
}

TEST(ExitOf, AModelHasNoCountersToMiss) {
    EXPECT_EQ(exit_of({{with_status("not_measured", "model")}, {}}), ExitCode::ok);
    EXPECT_EQ(exit_of({{with_status("ok", "model")}, {}}), ExitCode::ok);
}

}  // namespace
}  // namespace kprof
