// Matrix products with the numbers that were measured on an H200: verdict, steps, gains.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace kprof::test {
namespace {

TEST(Gemm, NaiveLeavesTheTensorCoresIdle) {
    const Diagnosis d = naive().diagnose();
    EXPECT_EQ(d.status, "ok");
    EXPECT_EQ(d.rule, "tensor_cores");
    EXPECT_FALSE(d.at_limit);
    ASSERT_EQ(d.findings.size(), 2U);
    EXPECT_EQ(d.findings[0].rule, "tensor_cores");
    EXPECT_NEAR(d.findings[0].gain.value(), 70.4, 1.5);  // measured: 23.4 ms -> 0.343 ms
    EXPECT_EQ(d.findings[0].severity, "high");
    EXPECT_EQ(d.findings[0].try_command, "kprof run gemm --variant cublas --dtype tf32 --shape 4096");
    EXPECT_EQ(d.findings[1].rule, "dram_traffic");
    EXPECT_NEAR(d.findings[1].gain.value(), 1.4, 0.06);  // measured: 23.4 ms -> 16.7 ms
    EXPECT_TRUE(holds(d.findings[1].gain_assumes, "the load/store pipe"));
    EXPECT_EQ(
        d.verdict,
        "The tensor cores are idle: this FP32 product runs on the CUDA cores at 8.8 % of their roof and "
        "fetches 41× the minimum from DRAM. Use a tensor-core GEMM (TF32: about 71×).");
    EXPECT_TRUE(d.wanted.empty()) << d.wanted.front();
}

TEST(Gemm, NaiveShowsAllFiveSteps) {
    const Diagnosis d = naive().diagnose();
    ASSERT_EQ(d.steps.size(), 5U);
    EXPECT_EQ(step(d, 1).state, StepState::fail);
    EXPECT_EQ(step(d, 1).rule, "tensor_cores");
    EXPECT_EQ(step(d, 1).op, ">=");
    EXPECT_DOUBLE_EQ(step(d, 1).threshold.value(), 30);
    EXPECT_EQ(step(d, 1).why, "a matrix product without tensor cores");
    EXPECT_EQ(step(d, 2).state, StepState::pass);
    EXPECT_DOUBLE_EQ(step(d, 2).value.value(), 2.5);
    EXPECT_EQ(step(d, 3).state, StepState::pass);
    EXPECT_EQ(step(d, 4).state, StepState::pass);
    EXPECT_EQ(step(d, 5).state, StepState::fail);
    EXPECT_EQ(step(d, 5).why, "8.3 GB, minimum 201 MB");
    EXPECT_EQ(step(d, 5).op, "<=");
}

TEST(Gemm, NaiveFirstStageAsksForWhatIsOpen) {
    const Diagnosis d = naive_first_stage().diagnose();
    for (const char* m :
         {"lsu_active", "fma_active", "stall_barrier", "stall_long_scoreboard", "sectors_per_request"}) {
        EXPECT_TRUE(wants(d, m)) << m;
    }
    // Two and a half sectors a request will do; only more would ask for the excess.
    EXPECT_FALSE(wants(d, "excess_sectors"));
    EXPECT_FALSE(wants(d, "occupancy_theoretical"));
    EXPECT_EQ(step(d, 2).state, StepState::not_measured);
}

TEST(Gemm, TiledIsNotHelpedByLessTraffic) {
    const Diagnosis d = tiled().diagnose();
    ASSERT_EQ(d.findings.size(), 1U);
    EXPECT_EQ(d.findings[0].rule, "tensor_cores");
    EXPECT_NEAR(d.findings[0].gain.value(), 50.2, 1);
    EXPECT_EQ(step(d, 5).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 5).why, "the load/store pipe is 98 % busy")) << step(d, 5).why;
    EXPECT_EQ(step(d, 4).state, StepState::not_applicable);
}

TEST(Gemm, WmmaIsStarved) {
    const Diagnosis d = wmma().diagnose();
    EXPECT_EQ(d.rule, "tensor_starved");
    const Finding* f = finding(d, "tensor_starved");
    ASSERT_NE(f, nullptr);
    EXPECT_NEAR(f->gain.value(), 20.3, 0.4);  // measured: 3.51 ms -> 0.173 ms
    EXPECT_EQ(finding(d, "tensor_cores"), nullptr);
    EXPECT_EQ(step(d, 1).state, StepState::fail);
    EXPECT_EQ(step(d, 1).rule, "tensor_cores");
    EXPECT_DOUBLE_EQ(step(d, 1).threshold.value(), 30);
    EXPECT_TRUE(holds(d.verdict, "The tensor pipe is starved: it is busy 4.0 % of the time")) << d.verdict;
    EXPECT_TRUE(holds(f->advice, "52.0 cycles per instruction")) << f->advice;
}

TEST(Gemm, HalfStarvedFailsAgainstSixty) {
    Kernel k = wmma();
    k.timed(0.36, 0.9e9).set("tensor_active", 45).set("l1_bytes", 8e9, "B");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.rule, "tensor_starved");
    EXPECT_EQ(step(d, 1).state, StepState::fail);
    EXPECT_DOUBLE_EQ(step(d, 1).threshold.value(), 60);
}

struct Library {
    const char* dtype;
    std::int64_t n;
    double ms, tensor;
};

class AtTensorLimit : public testing::TestWithParam<Library> {};

TEST_P(AtTensorLimit, HasNoFindingAndWantsNothing) {
    const Library& l = GetParam();
    const Diagnosis d = cublas(l.dtype, l.n, l.ms, l.tensor).diagnose();
    EXPECT_EQ(d.status, "ok");
    EXPECT_TRUE(d.findings.empty());
    EXPECT_EQ(d.rule, "");
    EXPECT_EQ(d.at_limit.value_or(""), "tensor");
    EXPECT_TRUE(d.wanted.empty());
    EXPECT_EQ(step(d, 1).state, StepState::pass);
    EXPECT_EQ(step(d, 2).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 3).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 3).why, "the tensor pipe is")) << step(d, 3).why;
    EXPECT_TRUE(holds(step(d, 3).why, "more warps would not move the bound"));
    EXPECT_EQ(step(d, 4).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 5).state, StepState::pass);
    EXPECT_TRUE(holds(d.verdict, "At its limit: the tensor pipe is")) << d.verdict;
    EXPECT_TRUE(holds(d.verdict, "1640 MHz")) << d.verdict;
}

INSTANTIATE_TEST_SUITE_P(H200, AtTensorLimit,
                         testing::Values(Library{"bf16", 4096, 0.173, 90.2}, Library{"bf16", 8192, 1.31, 95},
                                         Library{"fp16", 4096, 0.171, 90}, Library{"tf32", 4096, 0.343, 88},
                                         Library{"tf32", 8192, 2.7, 94}));

class SmallLibraryProduct : public testing::TestWithParam<Library> {};

TEST_P(SmallLibraryProduct, FailsNoStep) {
    const Library& l = GetParam();
    const Diagnosis d = cublas_small(l.dtype, l.n, l.ms, l.tensor).diagnose();
    EXPECT_TRUE(d.findings.empty()) << d.findings.front().rule;
    EXPECT_FALSE(d.at_limit);
    for (const Step& s : d.steps) EXPECT_NE(s.state, StepState::fail) << s.rule;
    EXPECT_TRUE(holds(d.verdict, "None of the five steps fails: this library kernel")) << d.verdict;
    EXPECT_TRUE(holds(d.verdict, "% of the")) << d.verdict;
}

INSTANTIATE_TEST_SUITE_P(H200, SmallLibraryProduct,
                         testing::Values(Library{"bf16", 1024, 0.00906, 24},
                                         Library{"bf16", 2048, 0.0271, 66}, Library{"tf32", 1024, 0.0158, 27},
                                         Library{"tf32", 2048, 0.0501, 70},
                                         Library{"bf16", 1536, 0.0155, 50}));

TEST(Gemm, SmallHandWrittenProductAsFastAsTheLibraryIsNotStarved) {
    Kernel k = cublas_small("bf16", 1024, 0.0112, 20);
    k.profile.kernel.variant = "wgmma";
    k.profile.kernel.name = "gemm / wgmma";
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(finding(d, "tensor_starved"), nullptr);
    EXPECT_TRUE(holds(step(d, 1).why, "a library product of this size takes about")) << step(d, 1).why;
}

TEST(Gemm, PedanticFp32IsFasterOnlyAtLowerPrecision) {
    const Diagnosis d = cublas_fp32().diagnose();
    ASSERT_EQ(d.findings.size(), 1U);
    EXPECT_EQ(d.rule, "tensor_cores");
    EXPECT_NEAR(d.findings[0].gain.value(), 8.05, 0.1);  // measured: 2.67 ms -> 0.343 ms
    EXPECT_TRUE(holds(d.verdict, "keeps the FMA pipe 88 % busy")) << d.verdict;
    EXPECT_TRUE(holds(d.findings[0].advice, "10 bits of mantissa"));
    EXPECT_TRUE(holds(d.findings[0].advice, "this kernel is at its limit: the FMA pipe"));
    EXPECT_EQ(step(d, 3).state, StepState::not_applicable);
    EXPECT_EQ(step(d, 4).state, StepState::not_applicable);
    EXPECT_FALSE(d.at_limit);
}

TEST(Gemm, MisalignedLibraryProductIsToldToPad) {
    Kernel k = cublas_small("bf16", 4096, 0.9, 17);
    k.profile.kernel.shape.extents = {{"m", 4095}, {"n", 4095}, {"k", 4095}};
    const Diagnosis d = k.diagnose();
    const Finding* f = finding(d, "tensor_starved");
    ASSERT_NE(f, nullptr);
    EXPECT_TRUE(holds(f->advice, "Pad n, k")) << f->advice;
    EXPECT_TRUE(holds(d.verdict, "no multiples of 16 bytes")) << d.verdict;
}

TEST(Gemm, MemoryBoundProductIsNotSentToTheTensorCores) {
    // A matrix times a vector: 16384 x 16384 BF16 at 90 % of the DRAM roof.
    Kernel k = gemm("gemv", "bf16", 4096);
    k.profile.kernel.family = "gemv";
    k.profile.work = Work{2.0 * 16384 * 16384, 537e6, "bf16", true, "model"};
    k.timed(0.1243, 540e6);
    k.set("tensor_active", 0).set("occupancy_achieved", 70).set("issue_active", 30).set("l2_active", 40);
    k.set("lsu_global_sectors", 1.7e7, "").set("eligible_warps", 0.3, "");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 1).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 1).why, "DRAM is")) << step(d, 1).why;
    EXPECT_EQ(d.at_limit.value_or(""), "dram");
    EXPECT_TRUE(d.findings.empty());
}

TEST(Gemm, ForeignNameTellsAMatrixProduct) {
    Kernel k = naive();
    k.profile.kernel = KernelId{};
    k.profile.kernel.name = "ampere_sgemm_128x64_nn";
    k.profile.work.reset();
    k.without("dram_traffic_ratio").set("flops", 1.374e11, "FLOP");
    RooflinePoint point;
    point.precision = "fp32";
    k.placement.points.push_back(point);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.rule, "tensor_cores");
    // What a library has to move is not known: at most what this kernel moves, 8.3 GB at 92 % of 4.8 TB/s.
    EXPECT_NEAR(d.findings[0].gain.value(), 23.4 / (8.3e9 / (0.92 * 4.8e12) * 1e3), 0.1);
    EXPECT_TRUE(holds(d.findings[0].gain_assumes, "that moves as much as this kernel"));
    EXPECT_EQ(d.findings[0].try_command, "");
    EXPECT_EQ(step(d, 5).state, StepState::not_applicable);
}

TEST(Gemm, UnknownGpuGivesAFindingWithoutAGain) {
    Kernel k = naive();
    k.known_machine = false;
    const Diagnosis d = k.diagnose();
    const Finding* f = finding(d, "tensor_cores");
    ASSERT_NE(f, nullptr);
    EXPECT_FALSE(f->gain);
    EXPECT_EQ(f->severity, "high");
    EXPECT_EQ(f->gain_assumes, "");
    EXPECT_EQ(f->verdict.find('{'), std::string::npos);
}

}  // namespace
}  // namespace kprof::test
