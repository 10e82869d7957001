#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/strings.hpp"
#include "scenes.hpp"

namespace kprof {
namespace {

using Lines = std::vector<std::string>;

std::string drawn(const Machine& m, const std::vector<RooflinePoint>& points, TerminalStyle style = {}) {
    return "\n" + join(draw_terminal(make_scene(m, points), style), "\n") + "\n";
}

bool contains_line(const Lines& lines, const std::string& part) {
    for (const std::string& l : lines) {
        if (contains(l, part)) return true;
    }
    return false;
}

// Golden drawings: change them only after looking at the new ones.
TEST(Terminal, NaiveFp32Gemm) {
    EXPECT_EQ(drawn(test::h200(), {test::naive()}), R"(
 FLOP/s
       │
       │                                          ╱┄┄┄┄┄┄┄┄┄┄┄ TF32 tensor 495 T
       │                                      ╱╱╱╱
       │                                  ╱╱╱╱
 100 T ┤                              ◆───────────────────────────── FP32 66.9 T
       │                          ╱╱╱╱
       │                      ╱╱╱╱
  10 T ┤                   ╱╱╱  DRAM 4.80 TB/s
       │               ╱╱╱╱            ●
       │           ╱╱╱╱
       │       ╱╱╱╱
   1 T ┤     ╱╱
       └┬─────────────┬─────────────┬──────────────┬─────────────┬─────────────┬
        0.1           1            10             100           1 k       FLOP/B
        ● 16.5 FLOP/B, 6.0 TFLOP/s   ◆ ridge 13.9 FLOP/B
)");
}

TEST(Terminal, CublasBf16GemmInAscii) {
    EXPECT_EQ(drawn(test::h200(), {test::cublas()}, {80, 12, true, false}), R"(
 FLOP/s
       |                                                       BF16 tensor 989 T
   1 P +                                             //+---------*--------------
       |                                         ////
       |                                     ////
 100 T +                                 ////
       |                            /////........................... FP32 66.9 T
       |                        ////
       |                    ////
  10 T +                ////  DRAM 4.80 TB/s
       |           /////
       |       ////
   1 T +     //
       ++-------------+-------------+--------------+-------------+-------------+
        0.1           1            10             100           1 k       FLOP/B
        * 1.1 k FLOP/B, 790 TFLOP/s   + ridge 206 FLOP/B
)");
}

// All scenes that the properties below are held against.
std::vector<std::vector<RooflinePoint>> scenes() {
    RooflinePoint copy = test::point("", "", 0, 0);
    copy.fraction = 0.9;
    RooflinePoint above = test::naive();
    above.performance = 120e12;
    above.above_roof = true;
    RooflinePoint what_if = test::cublas();
    what_if.what_if = true;
    what_if.machine = "mi300x";
    RooflinePoint l2 = test::point("fp32", "vector", 2, 6e12);
    l2.level = "l2";
    l2.bandwidth_roof = 6.1e12;
    l2.fraction = 0.8;
    return {{},
            {test::naive()},
            {test::cublas()},
            {copy},
            {above, what_if},
            {test::naive(), l2},
            {test::point("fp64", "vector", 1e-3, 1e6)},
            {test::point("fp8", "tensor", 5e4, 1.9e15)},
            {what_if}};
}

TEST(Terminal, NoLineIsWiderThanAskedOrEndsInSpaces) {
    for (const char* id : {"h200", "a100", "mi300x", "mi250x"}) {
        for (const auto& points : scenes()) {
            for (int width = 60; width <= 200; width += 7) {
                for (const bool ascii : {false, true}) {
                    for (const std::string& line :
                         draw_terminal(make_scene(test::machine(id), points), {width, 12, ascii, false})) {
                        EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
                        EXPECT_TRUE(line.empty() || line.back() != ' ') << "'" << line << "'";
                    }
                }
            }
        }
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(Terminal, NumbersOfAnySizeStayInTheWidth) {
    for (const double intensity : {1e-300, 1e300}) {
        for (const double performance : {1e-300, 1e300}) {
            RooflinePoint p = test::naive();
            p.intensity = intensity;
            p.performance = performance;
            for (const std::string& line :
                 draw_terminal(make_scene(test::h200(), {p}), {60, 12, false, false})) {
                EXPECT_LE(display_width(line), 60U) << line;
                EXPECT_EQ(line.find("inf"), std::string::npos) << line;
            }
        }
    }
}

TEST(Terminal, AsciiIsAscii) {
    for (const auto& points : scenes()) {
        for (const char c : drawn(test::machine("mi300x"), points, {80, 12, true, false})) {
            EXPECT_EQ(static_cast<unsigned char>(c) & 0x80U, 0u);
        }
    }
}

TEST(Terminal, ColourChangesNothingButColour) {
    for (const auto& points : scenes()) {
        const std::string plain = drawn(test::h200(), points),
                          coloured = drawn(test::h200(), points, {80, 12, false, true});
        std::string stripped;
        for (std::size_t i = 0; i < coloured.size(); ++i) {
            if (coloured[i] == '\x1b') {
                i = coloured.find('m', i);
            } else {
                stripped += coloured[i];
            }
        }
        EXPECT_EQ(stripped, plain);
        EXPECT_NE(coloured, plain);
    }
}

// Where the point should be, from the axes' own formula; the plot begins after 8 columns and one title line.
TEST(Terminal, ThePointIsWithinACellOfItsPlace) {
    for (int width = 60; width <= 200; width += 20) {
        for (const int height : {8, 12, 30}) {
            for (const double intensity : {0.2, 3.0, 16.5, 800.0}) {
                for (const double performance : {0.3e12, 6e12, 50e12}) {
                    const RooflineScene scene =
                        make_scene(test::h200(), {test::point("fp32", "vector", intensity, performance)});
                    const Lines lines = draw_terminal(scene, {width, height, true, false});
                    const int columns = width - 8;
                    const double x = std::log(intensity / scene.x.low) /
                                     std::log(scene.x.high / scene.x.low) * (columns - 1);
                    const double y =
                        (1 - std::log(performance / scene.y.low) / std::log(scene.y.high / scene.y.low)) *
                        (height - 1);
                    bool found = false;
                    for (int row = 0; row < height; ++row) {
                        const std::size_t at = lines[static_cast<std::size_t>(row) + 1].find('*');
                        if (at == std::string::npos) continue;
                        found = true;
                        EXPECT_LE(std::abs(row - y), 1.0);
                        EXPECT_LE(std::abs(static_cast<double>(at) - 8 - x), 1.0);
                    }
                    EXPECT_TRUE(found) << intensity << " " << performance;
                }
            }
        }
    }
}

TEST(Terminal, MoreBandwidthIsNeverDrawnLower) {
    const Lines lines = draw_terminal(make_scene(test::h200(), {test::naive()}), {80, 12, true, false});
    std::size_t before = 0;
    for (std::size_t row = 12; row >= 1; --row) {  // upwards, the slope goes right
        const std::size_t at = lines[row].find('/');
        if (at == std::string::npos || lines[row].find("TB/s") == at - 2) continue;
        EXPECT_GT(at, before);
        before = at;
    }
    EXPECT_GT(before, 0u);
}

TEST(Terminal, EveryRoofIsNamedExactlyOnce) {
    for (const auto& points : scenes()) {
        const RooflineScene scene = make_scene(test::machine("mi300x"), points);
        for (int width = 60; width <= 200; width += 35) {
            const std::string text = join(draw_terminal(scene, {width, 12, false, false}), "\n");
            for (const SceneRoof& r : scene.roofs) {
                const std::size_t at = text.find(r.label);
                ASSERT_NE(at, std::string::npos) << r.label << "\n" << text;
                EXPECT_EQ(text.find(r.label, at + 1), std::string::npos) << r.label << "\n" << text;
            }
        }
    }
}

TEST(Terminal, APointAboveItsRoofIsSaid) {
    RooflinePoint p = test::naive();
    p.performance = 120e12;
    p.above_roof = true;
    const Lines lines = draw_terminal(make_scene(test::h200(), {p}), {});
    EXPECT_TRUE(contains_line(lines, "! 16.5 FLOP/B"));
    EXPECT_TRUE(contains_line(lines, "above its roof"));
    EXPECT_FALSE(contains_line(lines, "●"));
}

TEST(Terminal, AKernelWithoutFlopsIsSaidInWords) {
    RooflinePoint p = test::point("", "", 0, 0);
    p.fraction = 0.9;
    const Lines lines = draw_terminal(make_scene(test::h200(), {p}), {});
    EXPECT_TRUE(contains_line(lines, "no FLOPs, 4.32 TB/s, 90 % of the DRAM roof"));
    EXPECT_FALSE(contains_line(lines, "●"));
}

TEST(Terminal, SeveralKernelsAreNumbered) {
    const RooflinePoint a = test::naive(), b = test::point("fp32", "vector", 40, 2e13);
    const Lines lines = draw_terminal(make_common_scene(test::h200(), {{"1", a}, {"2", b}}), {});
    const auto drawn = [&](char number) {
        std::size_t count = 0;
        for (const std::string& line : lines) {
            const std::size_t bar = line.find("│");
            if (bar != std::string::npos && line.find(number, bar) != std::string::npos) ++count;
        }
        return count;
    };
    EXPECT_GE(drawn('1'), 1U);
    EXPECT_GE(drawn('2'), 1U);
    // Numbers stand in the table: no legend of points.
    EXPECT_FALSE(contains_line(lines, "16.5 FLOP/B"));
}

TEST(Terminal, AHiddenNumberIsTold) {
    const RooflinePoint a = test::naive();
    const Lines lines = draw_terminal(make_common_scene(test::h200(), {{"1", a}, {"2", a}}), {});
    EXPECT_TRUE(contains_line(lines, "2 under 1"));
}

TEST(Scene, ACommonSceneHasARoofForEachPrecision) {
    const RooflinePoint a = test::naive(), b = test::point("bf16", "tensor", 700, 5e14);
    const RooflineScene scene = make_common_scene(test::h200(), {{"1", a}, {"2", b}});
    EXPECT_EQ(scene.roofs.size(), 3U);
    EXPECT_EQ(scene.points.size(), 2U);
    EXPECT_EQ(point_number(0), "1");
    EXPECT_EQ(point_number(9), "a");
    EXPECT_EQ(point_number(1000), "+");
}

}  // namespace
}  // namespace kprof
