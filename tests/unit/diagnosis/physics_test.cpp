// Verdicts that a performance engineer proved wrong, each with the number that is right.
#include <gtest/gtest.h>

#include "diagnosis/kernel_names.hpp"
#include "diagnosis/model.hpp"
#include "kernels.hpp"

namespace kprof::test {
namespace {

// A kernel that streams at 89 % of the DRAM roof of an H200 and was measured in full.
Kernel streaming(double min_bytes = 2.04e9) {
    Kernel k = stream("copy", 0.5, min_bytes, 2.136e9);
    k.set("l2_bytes", 4.3e9, "B").set("l1_bytes", 2.15e9, "B").set("l1_hit_rate", 0).set("l2_hit_rate", 51);
    k.set("lsu_active", 16).set("fma_active", 1.6).set("alu_active", 2).set("fp64_active", 0);
    k.set("xu_active", 0)
        .set("sectors_per_request", 4, "")
        .set("excess_sectors", 0)
        .set("sm_active_share", 98);
    k.set("stall_barrier", 0, "cycles").set("stall_long_scoreboard", 120, "cycles");
    k.set("stall_lg_throttle", 0, "cycles").set("stall_drain", 2, "cycles").set("stall_gmma", 0, "cycles");
    no_shared_waits(k);
    return k;
}

void make_foreign(Kernel& k, const std::string& name, const std::string& precision) {
    k.profile.kernel = KernelId{};
    k.profile.kernel.name = name;
    k.profile.work.reset();
    k.without("dram_traffic_ratio");
    RooflinePoint point;
    point.precision = precision;
    k.placement.points = {point};
}

TEST(LibraryGain, EndsAtTheTrafficOfTheKernelWhereTheMinimumIsNotKnown) {
    // A skinny product at the DRAM roof: was "tensor cores idle, about 44x".
    Kernel k = streaming();
    make_foreign(k, "void gemmSN_TN_kernel<float, 128, 16, 2, 4, 4, 4, true>(int)", "fp32");
    k.set("flops", 1.7e10, "FLOP");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 1).state, StepState::not_applicable);
    EXPECT_TRUE(d.findings.empty());
    EXPECT_EQ(d.at_limit.value_or(""), "dram");
}

TEST(LibraryGain, OfAStarvedProductEndsThereToo) {
    // The same in BF16: was "starved, a library takes 43 us, 12x".
    Kernel k = streaming();
    make_foreign(k, "my_bf16_gemm_kernel", "bf16");
    k.set("flops", 3e10, "FLOP").set("tensor_active", 8).set("tensor_instructions", 1e6, "");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 1).state, StepState::not_applicable);
    EXPECT_TRUE(d.findings.empty());
    // Half as busy, twice the time: at 92 % of DRAM the same traffic takes 484 us.
    k.timed(1.0, 2.136e9);
    const Diagnosis half = k.diagnose();
    ASSERT_NE(finding(half, "tensor_starved"), nullptr);
    EXPECT_NEAR(finding(half, "tensor_starved")->gain.value(), 2.06, 0.02);
}

TEST(LibraryGain, IsOpenWhereNoTrafficIsKnown) {
    Kernel k = naive();
    make_foreign(k, "ampere_sgemm_128x64_nn", "fp32");
    k.set("flops", 1.374e11, "FLOP").without("dram_bytes").without("dram_utilisation");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(finding(d, "tensor_cores"), nullptr);
    EXPECT_EQ(step(d, 1).state, StepState::not_measured);
    EXPECT_TRUE(wants(d, "dram_bytes"));
}

TEST(LibraryGain, IsNotAskedForAtTheDramLimitWithTheMinimumMoved) {
    // FP32 16384 x 4 x 16384 with its work: was "tensor cores idle, 1.1x".
    Kernel k = streaming();
    k.profile.work = Work{2.0 * 16384 * 4 * 16384, 2.04e9, "fp32", true, "model"};
    k.timed(0.5, 2.136e9);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 1).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 1).why, "DRAM is 89 % busy with little more than the minimum"))
        << step(d, 1).why;
    EXPECT_EQ(d.at_limit.value_or(""), "dram");
}

TEST(Issue, IsSharedByTheSmsThatHaveNoBlock) {
    // One block on one of 132 SMs: was "the bound is instruction issue, 88 % busy".
    Kernel k = hungry();
    k.occupancy.reset();
    k.set("issue_active", 88).set("occupancy_achieved", 35).set("sm_active_share", 0.75);
    Diagnosis d = k.diagnose();
    const auto issue = std::find_if(d.bound_model.begin(), d.bound_model.end(),
                                    [](const ResourceTime& r) { return r.resource == "issue"; });
    ASSERT_NE(issue, d.bound_model.end());
    EXPECT_NEAR(issue->time_ns.value(), 2e6 * 0.88 * 0.0075, 1);
    EXPECT_FALSE(holds(d.verdict, "instruction issue")) << d.verdict;
    k.without("sm_active_share");
    EXPECT_TRUE(holds(k.diagnose().verdict, "instruction issue, 88 % busy")) << k.diagnose().verdict;
}

TEST(Excess, ThatIsMeasuredFailsWhateverTheSectorsSay) {
    // FP16 with a stride of two: 4 sectors a request, half of their bytes used, twice the minimum traffic.
    Kernel k = streaming(1.07e9);
    k.profile.kernel.dtype = "fp16";
    k.profile.work->precision = "fp16";
    k.set("excess_sectors", 28.1);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.rule, "coalescing");
    EXPECT_FALSE(d.at_limit);
    EXPECT_GT(finding(d, "coalescing")->gain.value(), 1.3);
}

TEST(Excess, IsAskedForAboveTheSectorsThatTheElementsFill) {
    const std::pair<const char*, double> sizes[] = {{"int8", 1}, {"fp16", 2}, {"fp32", 4}, {"fp64", 8}};
    for (const auto& [type, bytes] : sizes) {
        Kernel k = streaming(1.07e9);
        k.profile.kernel.dtype = type;
        k.without("excess_sectors").set("sectors_per_request", bytes, "");
        EXPECT_FALSE(wants(k.diagnose(), "excess_sectors")) << type;
        EXPECT_EQ(step(k.diagnose(), 2).state, StepState::pass) << type;
        k.set("sectors_per_request", 2 * bytes, "");
        EXPECT_TRUE(wants(k.diagnose(), "excess_sectors")) << type;
        EXPECT_EQ(step(k.diagnose(), 2).state, StepState::not_measured) << type;
    }
}

TEST(Excess, OfUnknownElementsIsAskedForWhereMemoryIsBusy) {
    Kernel k = streaming();
    make_foreign(k, "gather", "fp32");
    k.without("excess_sectors");
    EXPECT_TRUE(wants(k.diagnose(), "excess_sectors"));
    EXPECT_EQ(step(k.diagnose(), 2).state, StepState::not_measured);
    k.timed(1.5, 2.136e9).set("l2_active", 30);
    EXPECT_FALSE(wants(k.diagnose(), "excess_sectors"));
    EXPECT_EQ(step(k.diagnose(), 2).state, StepState::pass);
}

TEST(Excess, ThatL1CatchesIsNoTraffic) {
    // Structures of three floats: each sector is used in three parts, the second and third found in L1.
    Kernel k = streaming();
    make_foreign(k, "scale_points", "fp32");
    k.set("sectors_per_request", 12, "").set("excess_sectors", 66.7).set("l1_hit_rate", 66.7);
    k.set("lsu_active", 30).set("l1_bytes", 6.4e9, "B").set("lsu_global_sectors", 2e8, "");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 2).state, StepState::not_applicable);
    EXPECT_TRUE(d.findings.empty());
    EXPECT_EQ(d.at_limit.value_or(""), "dram");
    k.set("l1_hit_rate", 0).set("l2_hit_rate", 0);
    EXPECT_EQ(k.diagnose().rule, "coalescing");  // without the cache two thirds of the traffic are excess
}

// Waits for L2 hits; DRAM moves four times the minimum, but is nearly idle.
Kernel waits_for_l2() {
    Kernel k = stream("gather", 1.0, 6e6, 24e6);
    k.profile.work->flops = 1e8;
    k.set("occupancy_achieved", 94)
        .set("issue_active", 4)
        .set("eligible_warps", 0.04, "")
        .set("l2_active", 5);
    k.set("l1_hit_rate", 50).set("l2_hit_rate", 99).set("l2_bytes", 4e8, "B").set("l1_bytes", 8e8, "B");
    k.set("lsu_active", 3)
        .set("fma_active", 3)
        .set("alu_active", 3)
        .set("fp64_active", 0)
        .set("xu_active", 0);
    k.set("sectors_per_request", 4, "").set("excess_sectors", 0).set("stall_barrier", 0, "cycles");
    k.set("stall_long_scoreboard", 350, "cycles").set("stall_lg_throttle", 0, "cycles");
    k.set("stall_drain", 0, "cycles");
    no_shared_waits(k);
    return k;
}

TEST(DramTraffic, IsNotTheProblemOfAKernelThatWaitsForL2) {
    Kernel k = waits_for_l2();
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(step(d, 5).state, StepState::not_applicable);
    EXPECT_TRUE(holds(step(d, 5).why, "DRAM is only 0.5 % busy")) << step(d, 5).why;
    EXPECT_TRUE(d.findings.empty());
    k.profile.work->matrix_product = true;  // nor that of a product that loads this slowly
    EXPECT_EQ(step(k.diagnose(), 5).state, StepState::not_applicable);
}

TEST(DramTraffic, CreditsOnlyTheWaitingThatDramServes) {
    Kernel k = waits_for_l2();
    k.profile.work->min_bytes = 0.3e9;
    k.timed(1.0, 1.2e9).set("l2_hit_rate", 25).set("l2_bytes", 1.6e9, "B");
    const Diagnosis d = k.diagnose();
    const Finding* f = finding(d, "dram_traffic");
    ASSERT_NE(f, nullptr);
    // DRAM is 25 % busy and serves half of L1's misses times three quarters: 0.375 of the 0.93 that is
    // waiting.
    const double waiting = 350 / (0.94 * 16 / 0.04);
    const double queue = 0.25 / 0.8;
    EXPECT_NEAR(f->gain.value(), 1 / (1 - waiting * 0.375 * (1 - (1 - queue) / 4)), 0.02);
}

TEST(DramTraffic, OfANaiveProductIsMendedByTilesThatTakeItsLoads) {
    const Diagnosis d = naive().diagnose();
    const Finding* f = finding(d, "dram_traffic");
    ASSERT_NE(f, nullptr);
    EXPECT_TRUE(holds(f->verdict, "Operands are loaded again and again")) << f->verdict;
    EXPECT_TRUE(holds(f->gain_assumes, "the load/store pipe")) << f->gain_assumes;
}

TEST(Padding, IsNoHelpWhereTheTrafficBounds) {
    // A decode step, 8 x 8192 x 8192 in BF16: was "starved, padded to 64 1.3x".
    Kernel k = cublas_small("bf16", 4096, 0.047, 4);
    k.profile.kernel.shape.extents = {{"m", 8}, {"n", 8192}, {"k", 8192}};
    k.profile.work = Work{2.0 * 8 * 8192 * 8192, 1.345e8, "bf16", true, "model"};
    k.timed(0.047, 1.35e8);
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(finding(d, "tensor_starved"), nullptr);
    EXPECT_TRUE(holds(step(d, 1).why, "the library's own kernel")) << step(d, 1).why;
    EXPECT_TRUE(holds(d.verdict, "bound by its traffic")) << d.verdict;
    k.profile.kernel.shape.extents[1].second = 8190;  // rows of 16380 bytes, but DRAM bounds all the same
    EXPECT_EQ(finding(k.diagnose(), "tensor_starved"), nullptr);
}

TEST(Padding, LooksAtRowsNotAtTheirNumber) {
    Kernel k = cublas_small("bf16", 4096, 0.9, 17);
    k.profile.kernel.shape.extents = {{"m", 4095}, {"n", 4096}, {"k", 4096}};
    EXPECT_EQ(finding(k.diagnose(), "tensor_starved"), nullptr);
    k.profile.kernel.shape.extents = {{"m", 4096}, {"n", 4096}, {"k", 4092}};
    const Diagnosis d = k.diagnose();
    ASSERT_NE(finding(d, "tensor_starved"), nullptr);
    EXPECT_TRUE(holds(d.verdict, "no multiples of 16 bytes")) << d.verdict;
}

TEST(Roof, OfVectorArithmeticIsTheVectorRoof) {
    Kernel k = stream("stencil", 0.5, 1e9, 0);
    k.metrics.clear();
    // 448 us of FP64 without tensor cores (33.5 TFLOP/s).
    k.profile.work = Work{0.448e-3 * 33.5e12, 1e9, "fp64", false, "model"};
    k.set("time", 0.503e6, "ns", Origin::timer);
    const Diagnosis d = k.diagnose();
    EXPECT_TRUE(holds(d.verdict, "89 % of that roof")) << d.verdict;
    k.profile.work->matrix_product = true;  // FP64 tensor cores: 67 TFLOP/s
    EXPECT_TRUE(holds(k.diagnose().verdict, "45 % of that roof")) << k.diagnose().verdict;
}

TEST(Names, AttentionAndConvolutionAreNoPlainProducts) {
    const Model model = Model::load(store());
    KernelId id;
    for (const char* name : {"void flash_fwd_kernel<Traits>(Params)", "fmha_cutlassF_f16", "conv2d_fprop",
                             "implicit_convolve_sgemm", "sm80_xmma_fprop_implicit_gemm_f16"}) {
        id.name = name;
        EXPECT_TRUE(is_product_like(id, model) && is_matrix_product(id, model)) << name;
    }
    for (const char* name :
         {"ampere_sgemm_128x64_nn", "nvjet_sm90_hsh", "copy_kernel", "flash_memory_test"}) {
        id.name = name;
        EXPECT_FALSE(is_product_like(id, model)) << name;
    }
}

TEST(Attention, IsNotComparedWithALibraryProduct) {
    // Was "starved, a library BF16 product takes 175 us (1.6x)".
    Kernel k = cublas_small("bf16", 4096, 0.285, 52);
    k.set("flops", 1.374e11, "FLOP").set("tensor_instructions", 1e7, "");
    make_foreign(k, "flash_fwd_kernel", "bf16");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(finding(d, "tensor_starved"), nullptr);
    EXPECT_EQ(step(d, 1).state, StepState::not_applicable);
    EXPECT_DOUBLE_EQ(step(d, 1).value.value(), 52);
    EXPECT_TRUE(holds(step(d, 1).why, "attention or a convolution")) << step(d, 1).why;
    EXPECT_FALSE(holds(d.verdict, "library")) << d.verdict;
}

TEST(Doubt, SharesAboveAPeak) {
    Kernel k = hungry();
    k.set("shared_wavefronts", 2.62 * 132 * 1.98e9 * 2e-3, "");
    const Diagnosis d = k.diagnose();
    EXPECT_EQ(d.status, "inconclusive");
    EXPECT_TRUE(holds(d.verdict, "shared memory would have been 262 % busy")) << d.verdict;
    EXPECT_TRUE(d.findings.empty());
    for (const Step& s : d.steps) EXPECT_EQ(s.state, StepState::not_measured);
}

TEST(TooSmall, IsNoKernelThatKeepsAUnitBusy) {
    // 16.8 MB copied in 4.6 us: 75 % of the DRAM roof.
    Kernel k = stream("copy", 0.0046, 16.8e6, 16.6e6);
    EXPECT_NE(k.diagnose().status, "too_small");
    EXPECT_TRUE(holds(k.diagnose().verdict, "DRAM at 75 %")) << k.diagnose().verdict;
    k.timed(0.0046, 4e6);
    k.profile.work->min_bytes = 4e6;
    EXPECT_EQ(k.diagnose().status, "too_small");
}

}  // namespace
}  // namespace kprof::test
