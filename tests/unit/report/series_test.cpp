#include "report/series.hpp"

#include <nlohmann/json.hpp>

#include "support.hpp"

namespace kprof {
namespace {

Analysed kernel(const std::string& variant, double ms, double flops = 2e12, double bytes = 1e9) {
    Analysed a;
    a.profile.kernel.family = "gemm";
    a.profile.kernel.variant = variant;
    a.profile.kernel.dtype = "fp32";
    a.profile.kernel.shape = Shape{{{"m", 64}, {"n", 64}, {"k", 64}}};
    a.profile.time = Measurement::of("time", ms * 1e6, "ns", Origin::timer);
    a.profile.work = Work{flops, bytes, "fp32", true, "model"};
    a.machine = test::h200();
    RooflinePoint p = test::point("dram", flops / bytes);
    p.performance = flops / (ms * 1e-3);
    p.compute_roof = 66.9e12;
    p.bandwidth_roof = 4.8e12;
    a.placement.points.push_back(p);
    a.diagnosis.rule = "coalescing";
    return a;
}

Report ladder(const std::vector<Analysed>& kernels, const std::vector<std::string>& mends) {
    Report r;
    r.kernels = kernels;
    Series s;
    s.kind = "ladder";
    s.title = "gemm";
    for (std::size_t i = 0; i < kernels.size(); ++i)
        s.rows.push_back({kernels[i].profile.kernel.variant, "coalescing", mends[i], 1});
    r.series = s;
    return r;
}

TEST(Series, GainsAreOfTheSameWorkOnly) {
    Report r = ladder({kernel("slow", 8), kernel("mid", 4), kernel("other", 1, 1e12), kernel("fast", 1)},
                      {"", "slow", "", "slow"});
    EXPECT_FALSE(gain_over_before(r, 0));
    EXPECT_DOUBLE_EQ(gain_over_before(r, 1).value(), 2);
    EXPECT_FALSE(gain_over_before(r, 2)) << "half of the FLOPs are no gain";
    EXPECT_FALSE(gain_over_before(r, 3));
    EXPECT_DOUBLE_EQ(gain_over_mended(r, 3).value(), 8);
    EXPECT_FALSE(gain_over_mended(r, 2));
}

TEST(Series, AWrongOrMissingResultGainsNothing) {
    Report r = ladder({kernel("slow", 8), kernel("fast", 1)}, {"", "slow"});
    r.kernels[1].diagnosis.status = "wrong_result";
    EXPECT_FALSE(gain_over_before(r, 1));
    r.kernels[1].diagnosis.status = "ok";
    r.kernels[0].profile.time = Measurement::missing("time", "ns", Status::not_collected, "not timed");
    EXPECT_FALSE(gain_over_mended(r, 1));
}

TEST(Series, TextHasARowAKernelAndOnePlot) {
    const Report r = ladder({kernel("slow", 8), kernel("fast", 1)}, {"", "slow"});
    TextOptions o;
    o.width = 100;
    const std::string text = text_summary(r, o);
    EXPECT_NE(text.find("slow ×8.0"), std::string::npos) << text;
    EXPECT_NE(text.find("8.000 ms"), std::string::npos) << text;
    std::size_t plots = 0;
    for (std::size_t at = text.find("FLOP/s\n"); at != std::string::npos; at = text.find("FLOP/s\n", at + 1))
        ++plots;
    EXPECT_EQ(plots, 1U) << text;
}

TEST(Series, ALayerAddsUpOnlyWhenItIsWhole) {
    Report r = ladder({kernel("a", 3), kernel("b", 1)}, {"", ""});
    r.series->kind = "layer";
    r.series->launch_ns = 5000;
    r.series->rows[1].count = 3;
    EXPECT_DOUBLE_EQ(share_of(r, 0).value(), 0.5);
    EXPECT_DOUBLE_EQ(share_of(r, 1).value(), 0.5);
    TextOptions o;
    o.width = 120;
    EXPECT_NE(text_summary(r, o).find("6.000 ms"), std::string::npos) << text_summary(r, o);
    r.kernels[0].profile.time = Measurement::missing("time", "ns", Status::not_collected, "not timed");
    EXPECT_FALSE(share_of(r, 1));
    EXPECT_EQ(text_summary(r, o).find("100 %"), std::string::npos);
}

TEST(Series, ALayerThatLacksAPartHasNoSum) {
    Report r = ladder({kernel("a", 3), kernel("b", 1)}, {"", ""});
    r.series->kind = "layer";
    r.series->left_out = {"no recording of attention"};
    EXPECT_FALSE(share_of(r, 0));
    TextOptions o;
    o.width = 120;
    const std::string text = text_summary(r, o);
    EXPECT_EQ(text.find("100 %"), std::string::npos) << text;
    EXPECT_EQ(text.find("4.000 ms"), std::string::npos) << text;
    EXPECT_NE(text.find("missing no recording of attention"), std::string::npos) << text;
    EXPECT_EQ(report_json(r).at("series").at("left_out").size(), 1U);
}

TEST(Series, AGainIsOfOneType) {
    Report r = ladder({kernel("slow", 8), kernel("fast", 1)}, {"", "slow"});
    r.kernels[1].profile.kernel.dtype = "bf16";
    EXPECT_FALSE(gain_over_mended(r, 1));
}

TEST(Series, WhatBoundsAKernelOfALayer) {
    // 2e12 FLOP over 1e9 B is far right of the ridge of 14; 1e9 FLOP over 1e9 B left of it.
    EXPECT_EQ(layer_bound(kernel("a", 40), 5000), "compute");
    EXPECT_EQ(layer_bound(kernel("a", 0.5, 1e9), 5000), "memory");
    // 0.2 µs under the roofs: in 8 µs the launch is what is seen, in 40 µs neither it nor a roof.
    EXPECT_EQ(layer_bound(kernel("a", 0.008, 1e6, 1e6), 5000), "launch");
    EXPECT_EQ(layer_bound(kernel("a", 0.040, 1e6, 1e6), 5000), "latency");
    EXPECT_NEAR(roof_time_ns(kernel("a", 1, 1e9)).value(), 208333, 1);
    Analysed no_machine = kernel("a", 1);
    no_machine.machine.reset();
    EXPECT_EQ(layer_bound(no_machine, 5000), "");
}

TEST(Series, JsonHasNullForWhatIsNotKnown) {
    const Report r = ladder({kernel("slow", 8), kernel("fast", 1)}, {"", "slow"});
    const nlohmann::json j = report_json(r).at("series");
    EXPECT_EQ(j.at("kind"), "ladder");
    EXPECT_TRUE(j.at("rows").at(0).at("mends").is_null());
    EXPECT_TRUE(j.at("rows").at(0).at("gain_over_before").is_null());
    EXPECT_DOUBLE_EQ(j.at("rows").at(1).at("gain_over_mended").get<double>(), 8);
}

}  // namespace
}  // namespace kprof
