#include "plot/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "plot/label.hpp"
#include "scenes.hpp"

namespace kprof {
namespace {

std::vector<std::string> labels(const RooflineScene& s) {
    std::vector<std::string> out;
    for (const SceneRoof& r : s.roofs) out.push_back(r.label);
    return out;
}
bool has(const RooflineScene& s, const std::string& label) {
    for (const std::string& l : labels(s)) {
        if (l == label) return true;
    }
    return false;
}

TEST(LogScale, IsLogarithmicMonotoneAndClamped) {
    const LogScale s{0.1, 1000};
    EXPECT_DOUBLE_EQ(s.to_unit(0.1), 0);
    EXPECT_DOUBLE_EQ(s.to_unit(10), 0.5);
    EXPECT_DOUBLE_EQ(s.to_unit(1000), 1);
    EXPECT_DOUBLE_EQ(s.to_unit(1e9), 1);
    for (const double none : {0.0, -1.0, std::nan("")}) EXPECT_DOUBLE_EQ(s.to_unit(none), 0);
    double before = -1;
    for (double v = 0.1; v < 1000; v *= 1.1) {
        EXPECT_GT(s.to_unit(v), before);
        before = s.to_unit(v);
    }
}

TEST(LogScale, DecadesIncludeTheEnds) {
    const std::vector<double> d = LogScale{0.1, 1000}.decades();
    ASSERT_EQ(d.size(), 5u);
    EXPECT_NEAR(d.front(), 0.1, 1e-12);
    EXPECT_NEAR(d.back(), 1000, 1e-9);
    EXPECT_EQ((LogScale{0.2, 90}.decades().size()), 2u);
}

TEST(Labels, ReadAsTheFieldWritesThem) {
    EXPECT_EQ(short_si(1e14), "100 T");
    EXPECT_EQ(short_si(0.1), "0.1");
    EXPECT_EQ(short_si(1000), "1 k");
    EXPECT_EQ(short_si(999.6e12), "1 P");
    EXPECT_EQ(compute_label("bf16", "tensor", 989.4e12), "BF16 tensor 989 T");
    EXPECT_EQ(compute_label("fp32", "vector", 66.9e12), "FP32 66.9 T");
    EXPECT_EQ(bandwidth_label("dram", 4.8e12), "DRAM 4.80 TB/s");
    EXPECT_EQ(bandwidth_label("mall", 17.2032e12), "Infinity Cache 17.2 TB/s");
    EXPECT_EQ(point_label(test::naive()), "16.5 FLOP/B, 6.0 TFLOP/s");
    EXPECT_EQ(point_label(test::cublas()), "1.1 k FLOP/B, 790 TFLOP/s");
}

TEST(Scene, AnFp32ProductShowsItsRoofAndTheTensorRoofItCouldUse) {
    const RooflineScene s = make_scene(test::h200(), {test::naive()});
    EXPECT_EQ(labels(s), (std::vector<std::string>{"FP32 66.9 T", "DRAM 4.80 TB/s", "TF32 tensor 495 T"}));
    EXPECT_TRUE(s.roofs[0].main);
    EXPECT_FALSE(s.roofs[2].main);
    EXPECT_NEAR(s.roofs[0].from_intensity, 66.9 / 4.8, 1e-9);
    ASSERT_EQ(s.points.size(), 1u);
    EXPECT_TRUE(s.points[0].main);
}

TEST(Scene, ATensorProductShowsItsRoofAndFp32) {
    const RooflineScene s = make_scene(test::h200(), {test::cublas()});
    EXPECT_TRUE(has(s, "BF16 tensor 989 T"));
    EXPECT_TRUE(has(s, "FP32 66.9 T"));
    EXPECT_FALSE(has(s, "TF32 tensor 495 T"));
}

TEST(Scene, TheL2IsShownOnlyNearItsRoof) {
    RooflinePoint l2 = test::naive();
    l2.level = "l2";
    l2.intensity = 2;
    l2.bandwidth_roof = 6.1e12;
    l2.fraction = 0.3;
    EXPECT_FALSE(has(make_scene(test::h200(), {test::naive(), l2}), "L2 6.10 TB/s"));
    l2.fraction = 0.8;
    const RooflineScene s = make_scene(test::h200(), {test::naive(), l2});
    EXPECT_TRUE(has(s, "L2 6.10 TB/s"));
    EXPECT_EQ(s.points.size(), 2u);
}

TEST(Scene, RangesHoldEveryPointAndRidge) {
    for (const double intensity : {1e-3, 0.3, 16.5, 5e4}) {
        for (const double performance : {1e6, 6e12, 3e15}) {
            RooflinePoint p = test::naive();
            p.intensity = intensity;
            p.performance = performance;
            const RooflineScene s = make_scene(test::h200(), {p});
            EXPECT_LT(s.x.low, intensity);
            EXPECT_GT(s.x.high, intensity);
            EXPECT_LT(s.y.low, performance);
            EXPECT_GT(s.y.high, performance);
            for (const SceneRoof& r : s.roofs) {
                if (!r.horizontal) continue;
                EXPECT_GT(s.x.high, r.from_intensity);
                EXPECT_GT(s.y.high, r.value);
            }
        }
    }
}

TEST(Scene, TheHeldClockIsNoSecondDot) {
    RooflinePoint held = test::naive();
    held.clock = "held";
    EXPECT_EQ(make_scene(test::h200(), {test::naive(), held}).points.size(), 1u);
}

TEST(Scene, AnOverviewShowsEachRoofOnce) {
    const RooflineScene s = make_scene(test::machine("mi300x"), {});
    EXPECT_TRUE(s.points.empty());
    for (const char* l : {"DRAM 5.32 TB/s", "Infinity Cache 17.2 TB/s", "L2 34.4 TB/s", "FP64 81.7 T",
                          "FP32 163 T", "BF16 tensor 1.31 P", "FP8 tensor 2.61 P"}) {
        EXPECT_TRUE(has(s, l)) << l;
    }
}

TEST(Scene, AMachineWithoutRoofsStillHasAxes) {
    Machine bare;
    for (const RooflineScene& s : {make_scene(bare, {}), make_scene(bare, {test::naive()})}) {
        EXPECT_GT(s.x.high, s.x.low);
        EXPECT_GT(s.y.high, s.y.low);
        EXPECT_GT(s.y.low, 0);
    }
}

}  // namespace
}  // namespace kprof
