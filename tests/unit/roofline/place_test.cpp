#include "roofline/place.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace kprof {
namespace {

using test::set;

Machine machine(const std::string& id) {
    return load_machine(ConfigStore::open(test::configs()), id);
}

KernelProfile profile(double time_ns, std::optional<Work> work) {
    KernelProfile p;
    p.time = Measurement::of("time", time_ns, "ns", Origin::timer);
    p.work = std::move(work);
    return p;
}

Work gemm(const std::string& precision, double flops = 2.0 * 4096 * 4096 * 4096) {
    Work w;
    w.flops = flops;
    w.min_bytes = 201e6;
    w.precision = precision;
    w.matrix_product = true;
    return w;
}

MetricSet traffic(double dram, double l2, double l1) {
    MetricSet m;
    set(m, "dram_bytes", dram, "B");
    set(m, "l2_bytes", l2, "B");
    set(m, "l1_bytes", l1, "B");
    return m;
}

const RooflinePoint* at(const Placement& p, const std::string& level, const std::string& precision,
                        const std::string& clock = "datasheet") {
    for (const RooflinePoint& r : p.points) {
        if (r.level == level && r.precision == precision && r.clock == clock) return &r;
    }
    return nullptr;
}

bool noted(const std::vector<std::string>& notes, const std::string& part) {
    for (const std::string& n : notes) {
        if (n.find(part) != std::string::npos) return true;
    }
    return false;
}

TEST(Place, NaiveFp32GemmLiesUnderTheVectorRoof) {
    MetricSet m = traffic(8.2e9, 70e9, 1.1e12);
    set(m, "flops_fp32", 2.0 * 4096 * 4096 * 4096, "FLOP");
    set(m, "flops", 2.0 * 4096 * 4096 * 4096, "FLOP");
    const Placement p = place(profile(22.93e6, gemm("fp32")), m, machine("h200"));
    const RooflinePoint* r = at(p, "dram", "fp32");
    ASSERT_TRUE(r);
    EXPECT_EQ(&p.points.front(), r);
    EXPECT_EQ(r->pipe, "vector");
    EXPECT_NEAR(r->intensity, 16.76, 0.01);
    EXPECT_NEAR(r->performance, 5.994e12, 0.01e12);
    EXPECT_NEAR(r->ridge, 13.94, 0.01);
    EXPECT_EQ(r->bound, "compute");
    EXPECT_NEAR(r->attainable, 66.9e12, 1);
    EXPECT_NEAR(r->fraction, 0.0896, 0.0005);
    EXPECT_FALSE(r->above_roof);
    EXPECT_EQ(r->origin, "counter");
    EXPECT_TRUE(r->note.empty()) << r->note;
    EXPECT_TRUE(at(p, "l1", "fp32"));
    EXPECT_TRUE(noted(p.notes, "L2")) << "no L2 roof is known without l2_active";
}

TEST(Place, TensorProductsLieUnderTheTensorRoof) {
    for (const char* precision : {"tf32", "bf16", "fp16", "fp8"}) {
        const Placement p = place(profile(0.3e6, gemm(precision)), traffic(0.2e9, 1e9, 3e9), machine("h200"));
        const RooflinePoint* r = at(p, "dram", precision);
        ASSERT_TRUE(r) << precision;
        EXPECT_EQ(r->pipe, "tensor");
        EXPECT_DOUBLE_EQ(r->compute_roof, machine("h200").compute(precision, "tensor")->value);
    }
}

TEST(Place, ABf16KernelThatIsNoProductUsesTheVectorPipe) {
    Work w = gemm("bf16", 1e9);
    w.matrix_product = false;
    const RooflinePoint r = place(profile(1e6, w), traffic(2e9, 2e9, 2e9), machine("h200")).points.front();
    EXPECT_EQ(r.pipe, "vector");
    EXPECT_DOUBLE_EQ(r.compute_roof, 133.8e12);
    const RooflinePoint amd =
        place(profile(1e6, w), traffic(2e9, 2e9, 2e9), machine("mi300x")).points.front();
    EXPECT_DOUBLE_EQ(amd.compute_roof, 163.4e12);  // no BF16 vector peak is known
    EXPECT_NE(amd.note.find("FP32 vector roof"), std::string::npos) << amd.note;
}

TEST(Place, ANaiveBf16GemmShowsItsVectorArithmeticToo) {
    MetricSet m = traffic(8e9, 1e10, 1e11);
    set(m, "flops_fp32", 1.37e11, "FLOP");
    set(m, "flops_fp16", 1e6, "FLOP");  // below 1 %: left out
    const Placement p = place(profile(20e6, gemm("bf16")), m, machine("h200"));
    ASSERT_TRUE(at(p, "dram", "bf16"));
    ASSERT_TRUE(at(p, "dram", "fp32"));
    EXPECT_EQ(at(p, "dram", "fp32")->pipe, "vector");
    EXPECT_FALSE(at(p, "dram", "fp16"));
}

TEST(Place, CountersThatDisagreeWithTheModelAreNoted) {
    MetricSet m = traffic(1e9, 2e9, 3e9);
    set(m, "flops", 1.1 * gemm("bf16").flops, "FLOP");
    const Placement p = place(profile(0.4e6, gemm("bf16")), m, machine("h200"));
    EXPECT_NE(p.points.front().note.find("counters saw"), std::string::npos) << p.points.front().note;
    EXPECT_DOUBLE_EQ(p.points.front().intensity, gemm("bf16").flops / 1e9);  // the algorithm's FLOPs
    set(m, "flops", 1.01 * gemm("bf16").flops, "FLOP");
    EXPECT_EQ(place(profile(0.4e6, gemm("bf16")), m, machine("h200")).points.front().note, "");
}

TEST(Place, WithoutWorkTheCountersDecide) {
    MetricSet m = traffic(1e9, 2e9, 3e9);
    set(m, "flops_tensor_bf16", 1e11, "FLOP");
    set(m, "flops_fp32", 2e9, "FLOP");
    const Placement p = place(profile(1e6, std::nullopt), m, machine("h200"));
    EXPECT_EQ(p.points.front().precision, "bf16");
    EXPECT_EQ(p.points.front().pipe, "tensor");
    EXPECT_TRUE(at(p, "dram", "fp32"));
}

TEST(Place, TheHeldClockScalesTheComputeRoof) {
    MetricSet m = traffic(0.2e9, 1e9, 3e9);
    set(m, "sm_clock_hz", 1.63e9, "Hz");
    const Placement p = place(profile(0.163e6, gemm("bf16")), m, machine("h200"));
    const RooflinePoint* held = at(p, "dram", "bf16", "held");
    ASSERT_TRUE(held);
    EXPECT_NEAR(held->compute_roof, 989.4e12 * 1630 / 1830, 1e9);
    EXPECT_GT(held->fraction, at(p, "dram", "bf16")->fraction);
    EXPECT_FALSE(at(p, "l1", "bf16", "held"));
}

TEST(Place, AClockAboveThePublishedOneIsNoError) {
    MetricSet m = traffic(0.1e9, 1e9, 3e9);
    const double time = gemm("bf16").flops / 1.04e15 * 1e9;  // 105 % of 989
    EXPECT_TRUE(place(profile(time, gemm("bf16")), m, machine("h200")).points.front().above_roof);
    set(m, "sm_clock_hz", 1.98e9, "Hz");
    const RooflinePoint r = place(profile(time, gemm("bf16")), m, machine("h200")).points.front();
    EXPECT_FALSE(r.above_roof);
    EXPECT_NE(r.note.find("clock"), std::string::npos);
}

TEST(Place, TheToleranceIs3Percent) {
    Work w = gemm("fp32", 1e9);
    const MetricSet m = traffic(1e9, 0, 0);  // intensity 1: the DRAM roof
    EXPECT_FALSE(
        place(profile(1e9 / (4.8e12 * 1.02) * 1e9, w), m, machine("h200")).points.front().above_roof);
    const RooflinePoint r = place(profile(1e9 / (4.8e12 * 1.04) * 1e9, w), m, machine("h200")).points.front();
    EXPECT_TRUE(r.above_roof);
    EXPECT_NE(r.note.find("wrong"), std::string::npos);
}

TEST(Place, TheL2RoofComesFromTheKernelsOwnCounters) {
    MetricSet m = traffic(1e9, 5e9, 6e9);
    set(m, "l2_bandwidth", 5e12, "B/s");
    set(m, "l2_active", 80, "%");
    const RooflinePoint* r = nullptr;
    const Placement p = place(profile(1e6, gemm("fp32", 1e9)), m, machine("h200"));
    r = at(p, "l2", "fp32");
    ASSERT_TRUE(r);
    EXPECT_DOUBLE_EQ(r->bandwidth_roof, 6.25e12);
    EXPECT_NEAR(r->fraction, 0.8, 1e-9);
    EXPECT_NE(r->note.find("lts__t_sectors"), std::string::npos);
    set(m, "l2_active", 3, "%");
    EXPECT_FALSE(at(place(profile(1e6, gemm("fp32", 1e9)), m, machine("h200")), "l2", "fp32"));
}

TEST(Place, KernelsWithoutFlopsGetTheirBandwidth) {
    Work w;
    w.min_bytes = 2e9;
    w.precision = "fp32";
    const Placement p = place(profile(0.46e6, w), traffic(2e9, 2e9, 2e9), machine("h200"));
    const RooflinePoint& r = p.points.front();
    EXPECT_EQ(r.level, "dram");
    EXPECT_DOUBLE_EQ(r.intensity, 0);
    EXPECT_DOUBLE_EQ(r.performance, 0);
    EXPECT_NEAR(r.fraction, 2e9 / 0.46e-3 / 4.8e12, 1e-9);
    EXPECT_EQ(r.bound, "memory");
    EXPECT_NE(r.note.find("4.35 TB/s"), std::string::npos) << r.note;
}

TEST(Place, UncountedDramBytesFallBackToTheModel) {
    MetricSet m;
    m["dram_bytes"] = Measurement::missing("dram_bytes", "B", Status::not_collected, "not asked for");
    const Placement p = place(profile(1e6, gemm("fp32")), m, machine("h200"));
    ASSERT_EQ(p.points.size(), 1u);
    EXPECT_EQ(p.points[0].origin, "model");
    EXPECT_DOUBLE_EQ(p.points[0].intensity, gemm("fp32").flops / 201e6);
    EXPECT_TRUE(noted(p.notes, "L1"));
}

TEST(Place, TheInfinityCacheExplainsTrafficAboveHbm) {
    Work w = gemm("fp32", 1e9);
    const Placement p = place(profile(1e9 / 9e12 * 1e9, w), traffic(1e9, 0, 0), machine("mi300x"));
    const RooflinePoint* dram = at(p, "dram", "fp32");
    EXPECT_GT(dram->fraction, 1.5);
    EXPECT_FALSE(dram->above_roof);
    EXPECT_NE(dram->note.find("cache"), std::string::npos);
    ASSERT_TRUE(at(p, "mall", "fp32"));
    EXPECT_LT(at(p, "mall", "fp32")->fraction, 1);
    EXPECT_TRUE(
        at(place(profile(1e9 / 20e12 * 1e9, w), traffic(1e9, 0, 0), machine("mi300x")), "dram", "fp32")
            ->above_roof);
}

TEST(Place, ABoundOfTheWorkMakesNoPerformance) {
    Work w = gemm("fp32");
    w.origin = "bound";
    const Placement p = place(profile(1e6, w), traffic(1e9, 0, 0), machine("h200"));
    EXPECT_DOUBLE_EQ(p.points.front().performance, 0);
}

TEST(Place, WithoutATimeThereIsNoPoint) {
    KernelProfile p;
    p.work = gemm("fp32");
    const Placement out = place(p, traffic(1e9, 1e9, 1e9), machine("h200"));
    EXPECT_TRUE(out.points.empty());
    EXPECT_TRUE(noted(out.notes, "no time"));
}

TEST(Place, NoNumberIsEverInfiniteOrNan) {
    for (const double zero : {0.0, 1.0}) {
        MetricSet m = traffic(zero, zero, zero);
        set(m, "flops", zero, "FLOP");
        set(m, "l2_active", zero, "%");
        set(m, "sm_clock_hz", zero, "Hz");
        Work w = gemm("fp32", zero);
        w.min_bytes = zero;
        for (const RooflinePoint& r : place(profile(zero, w), m, machine("h200")).points) {
            for (const double v : {r.intensity, r.performance, r.attainable, r.fraction, r.ridge}) {
                EXPECT_TRUE(std::isfinite(v));
            }
        }
    }
}

TEST(Place, ExtremeNumbersAreNotPlacedAndSaySo) {
    for (const double time : {1e-300, 1e300}) {
        for (const double bytes : {1e-300, 1e300}) {
            for (const double flops : {0.0, 1e-300, 1e300}) {
                Work w = gemm("fp32", flops);
                w.min_bytes = bytes;
                MetricSet m = traffic(bytes, bytes, bytes);
                set(m, "l2_active", 50, "%");
                set(m, "sm_clock_hz", 1e300, "Hz");
                const Placement out = place(profile(time, w), m, machine("h200"));
                for (const RooflinePoint& r : out.points) {
                    for (const double v : {r.intensity, r.performance, r.attainable, r.fraction, r.ridge,
                                           r.compute_roof, r.bandwidth_roof}) {
                        EXPECT_TRUE(std::isfinite(v));
                    }
                    EXPECT_LT(r.note.size(), 300U) << r.note;
                }
                std::string why;
                const auto other = what_if(profile(time, w), machine("h100"), &why);
                EXPECT_TRUE(other ? std::isfinite(other->intensity) && std::isfinite(other->time_ns)
                                  : !why.empty());
            }
        }
    }
    Work w = gemm("fp32", 1e300);
    EXPECT_TRUE(noted(place(profile(1e-300, w), traffic(1e9, 0, 0), machine("h200")).notes,
                      "DRAM: not placed, the time, the bytes or the FLOPs are too large or too small"));
}

TEST(WhatIf, VectorKernelsUseTheVectorRoof) {
    Machine m = machine("mi250x");
    for (Ceiling& c : m.ceilings) {
        if (c.name == "fp32" && c.pipe == "tensor") c.value = 999e12;  // must not be taken
    }
    Work w = gemm("fp32", 1e14);
    w.matrix_product = false;
    EXPECT_DOUBLE_EQ(what_if(profile(1, w), m, nullptr)->compute_roof, 47.9e12);
    EXPECT_DOUBLE_EQ(what_if(profile(1, gemm("fp32")), m, nullptr)->compute_roof, 47.9e12);
}

TEST(WhatIf, GivesTheLeastTime) {
    const auto r = what_if(profile(1, gemm("bf16")), machine("mi300x"), nullptr);
    ASSERT_TRUE(r);
    EXPECT_TRUE(r->what_if);
    EXPECT_EQ(r->machine, "mi300x");
    EXPECT_EQ(r->pipe, "tensor");
    EXPECT_NEAR(r->time_ns, 1e9 * gemm("bf16").flops / 1307.4e12, 1);
    EXPECT_DOUBLE_EQ(r->performance, r->attainable);
    Work copy;
    copy.min_bytes = 5324.8e6;
    EXPECT_NEAR(what_if(profile(1, copy), machine("mi300x"), nullptr)->time_ns, 1e6, 1);
}

TEST(WhatIf, SaysWhyNot) {
    std::string why;
    EXPECT_FALSE(what_if(profile(1, gemm("tf32")), machine("mi250x"), &why));
    EXPECT_NE(why.find("tf32"), std::string::npos) << why;
    EXPECT_FALSE(what_if(profile(1, gemm("fp8")), machine("a100"), &why));
    EXPECT_FALSE(what_if(profile(1, std::nullopt), machine("a100"), &why));
    EXPECT_NE(why.find("work"), std::string::npos) << why;
}

}  // namespace
}  // namespace kprof
