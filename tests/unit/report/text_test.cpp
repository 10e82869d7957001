#include <algorithm>

#include "report/sections.hpp"
#include "support.hpp"

namespace kprof {
namespace {

using namespace test;

TextOptions width(int w) {
    TextOptions o;
    o.width = w;
    return o;
}

std::string line_with(const std::string& text, const std::string& part) {
    for (const std::string& line : split(text, '\n')) {
        if (contains(line, part)) return line;
    }
    return {};
}

TEST(Text, GoldenScreens) {
    expect_golden(text_kernel(naive_gemm(), store(), width(80)), "gemm_naive_80.txt");
    expect_golden(text_kernel(naive_gemm(), store(), width(120)), "gemm_naive_120.txt");
    TextOptions ascii = width(80);
    ascii.ascii = true;
    expect_golden(text_kernel(naive_gemm(), store(), ascii), "gemm_naive_ascii.txt");
    TextOptions recorded = width(80);
    recorded.source_note = "no usable GPU here: libcuda.so.1 was not found";
    Analysed copy = recorded_copy();
    copy.placement.points.push_back(on_mi300x(false));
    expect_golden(text_kernel(copy, store(), recorded), "copy_recorded.txt");
    expect_golden(text_kernel(wrong_gemm(), store(), width(80)), "gemm_wrong.txt");
}

TEST(Text, NoLineIsWiderThanAsked) {
    Analysed a = naive_gemm();
    a.profile.kernel.name = "void cutlass::" + std::string(300, 'k') + "<float, float>(int)";
    a.profile.kernel.short_name.clear();
    a.profile.warnings = {
        "a warning that is rather long and has to be wrapped at the width of the terminal, " +
        std::string(100, 'w')};
    a.diagnosis.findings[0].try_command =
        "kprof run gemm --variant cublas --dtype tf32 --shape 4096x4096x4096 --repeats 50 --json out.json";
    a.placement.points.push_back(on_mi300x(true));
    a.profile.kernel.dtype = "浮動小数点";
    a.diagnosis.findings[1].gain = 1e300;
    for (const int w : {40, 60, 80, 100, 160}) {
        for (const bool ascii : {false, true}) {
            for (const int verbosity : {0, 1}) {
                TextOptions o = width(w);
                o.ascii = ascii;
                o.verbosity = verbosity;
                o.source_note = "because of this and that";
                const std::string text = text_kernel(a, store(), o);
                EXPECT_LE(widest(text), static_cast<std::size_t>(w)) << text;
            }
        }
    }
}

TEST(Text, BarsFitTheWidth) {
    Analysed a = recorded_copy();
    a.placement.points[0].bandwidth_roof = 1.234e12;
    for (const double fraction : {0.0, 0.5, 1.0, 1e290}) {
        a.placement.points[0].fraction = fraction;
        for (const int w : {40, 50, 60, 62, 80}) {
            const std::string text = text_kernel(a, store(), width(w));
            EXPECT_LE(widest(text), static_cast<std::size_t>(w)) << text;
            EXPECT_TRUE(contains(text, "B/s of 1.23 TB/s")) << text;
        }
    }
}

TEST(Text, NoSentenceIsCut) {
    Analysed a = naive_gemm();
    a.diagnosis.steps[3].why =
        "no loads or stores of global memory through the load/store pipe: the data comes by TMA, by bulk "
        "copies or not at all, and all of this sentence is to be read";
    a.diagnosis.findings[0].gain_assumes =
        a.diagnosis.steps[3].why + " and once more " + a.diagnosis.steps[3].why;
    for (const int w : {60, 80}) {
        const std::string text = text_kernel(a, store(), width(w));
        EXPECT_FALSE(contains(text, "…")) << text;
        EXPECT_TRUE(contains(text, "read\n")) << text;
    }
}

TEST(Text, MissingCountersAreNamedInVerboseOnly) {
    Analysed a = naive_gemm();
    a.diagnosis.steps[4].why =
        "dram_bytes: dram__bytes_read.sum was not collected; dram__bytes_write.sum was not collected";
    EXPECT_TRUE(contains(text_kernel(a, store(), width(80)), "dram_bytes: not collected\n"));
    TextOptions o = width(80);
    o.verbosity = 1;
    EXPECT_TRUE(contains(text_kernel(a, store(), o), "dram__bytes_write.sum"));
}

TEST(Text, WithoutAPointNoRoofIsNamed) {
    Analysed a = naive_gemm();
    a.placement.points.clear();
    a.metrics.erase("flop_rate");
    a.profile.time = Measurement::missing("time", "ns", Status::failed, "boom");
    const std::string text = text_kernel(a, store(), width(80));
    EXPECT_EQ(line_with(text, "time  "), "time    –") << text;
}

TEST(Text, OccupancyHasTheDecimalsOfWhatWasMeasured) {
    Analysed a = naive_gemm();
    put(a, "occupancy_achieved", 12.5, "%");
    a.occupancy->fraction = 0.125;
    EXPECT_TRUE(contains(text_kernel(a, store(), width(80)), "occupancy 12.5 % of 12.5 %"));
    a.occupancy->fraction = 0.5;
    EXPECT_TRUE(contains(text_kernel(a, store(), width(80)), "occupancy 12.5 % of 50 %"));
}

TEST(Text, OfAModelNothingRan) {
    Analysed a = naive_gemm();
    a.profile.provenance.kind = "model";
    a.profile.verification = {};
    const std::string text = text_kernel(a, store(), width(80));
    EXPECT_FALSE(contains(text, "cold L2")) << text;
    EXPECT_FALSE(contains(text, "not checked")) << text;
    a.metrics.clear();
    a.placement = {};
    a.profile.time = Measurement::missing("time", "ns", Status::not_collected, "a model has no time");
    const std::string bare = text_kernel(a, store(), width(80));
    EXPECT_EQ(line_with(bare, "time  "), "") << bare;  // no rows of dashes
    EXPECT_TRUE(contains(bare, "occupancy at most 100 % (limit: warps)")) << bare;
}

TEST(Text, AsciiModeIsAsciiOnly) {
    TextOptions o = width(80);
    o.ascii = true;
    o.verbosity = 1;
    Analysed a = naive_gemm();
    a.profile.kernel.name = "кернел «α»";
    a.placement.points.push_back(on_mi300x(true));
    const std::string text = text_kernel(a, store(), o) + text_summary({{a, recorded_copy()}, {}}, o);
    EXPECT_TRUE(
        std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST(Text, ColourOnlyWhereAsked) {
    EXPECT_FALSE(contains(text_kernel(naive_gemm(), store(), width(80)), "\x1b"));
    TextOptions o = width(80);
    o.colour = true;
    const std::string text = text_kernel(naive_gemm(), store(), o);
    EXPECT_TRUE(contains(text, "\x1b[32m✓\x1b[0m 2 coalescing"));
    EXPECT_TRUE(contains(text, "\x1b[31m✗\x1b[0m 1 tensor cores"));
    EXPECT_TRUE(contains(text, "\x1b[1mThe tensor cores are idle"));
}

TEST(Text, FiveStepsWithMarkNumberAndThreshold) {
    const std::string text = text_kernel(naive_gemm(), store(), width(100));
    const std::string tensor = line_with(text, "1 tensor cores");
    EXPECT_TRUE(contains(tensor, "✗") && contains(tensor, "0.0 %") && contains(tensor, "≥ 30 %")) << tensor;
    const std::string occupancy = line_with(text, "3 occupancy");
    EXPECT_TRUE(contains(occupancy, "✓") && contains(occupancy, "99.5 %")) << occupancy;
    EXPECT_TRUE(contains(line_with(text, "4 barrier stalls"), "the kernel has no barrier"));
    EXPECT_EQ(line_with(text, "5 DRAM traffic").substr(0, 1), "?");
}

TEST(Text, NumbersOfStepsAreNeverCut) {
    Analysed a = naive_gemm();
    a.diagnosis.steps[4].value = 123456789;
    a.diagnosis.steps[4].unit = "sectors of 32 bytes each";
    EXPECT_TRUE(contains(text_kernel(a, store(), width(60)), "123 M sectors of 32 bytes each"));
}

TEST(Text, MissingValuesAreDashesWithTheReasonInVerbose) {
    Analysed a = naive_gemm();
    a.metrics.insert_or_assign(
        "l2_hit_rate", Measurement::missing("l2_hit_rate", "%", Status::unsupported, "no such counter"));
    a.metrics.erase("tensor_active");
    const std::string text = text_kernel(a, store(), width(80));
    EXPECT_FALSE(contains(text, "L2 hit"));  // optional in the table
    EXPECT_TRUE(contains(text, "tensor –"));
    EXPECT_FALSE(contains(text, "no such counter"));
    TextOptions o = width(120);
    o.verbosity = 1;
    const std::string verbose = text_kernel(a, store(), o);
    EXPECT_TRUE(contains(line_with(verbose, "l2_hit_rate"), "unsupported: no such counter")) << verbose;
}

TEST(Text, StallsAreTheThreeLargestAndAbsentWhenNotMeasured) {
    Analysed a = naive_gemm();
    EXPECT_EQ(line_with(text_kernel(a, store(), width(120)), "long scoreboard"),
              "stalls  long scoreboard 13.2 · lg throttle 11.0 · not selected 6.4 cycles per instruction");
    for (const char* id :
         {"stall_long_scoreboard", "stall_lg_throttle", "stall_not_selected", "stall_barrier"}) {
        a.metrics.erase(id);
    }
    EXPECT_EQ(line_with(text_kernel(a, store(), width(120)), "stalls  l"), "");
}

TEST(Text, TheFirstLineSaysWhatWasNotMeasuredHere) {
    TextOptions o = width(120);
    o.source_note = "no usable GPU here: no driver";
    EXPECT_EQ(split(text_kernel(recorded_copy(), store(), o), '\n')[0],
              "recording of 2026-11-30 on NVIDIA H200 (no usable GPU here: no driver)");
    Analysed model = naive_gemm();
    model.profile.provenance.kind = "model";
    EXPECT_EQ(split(text_kernel(model, store(), o), '\n')[0].substr(0, 12), "model of NVI");
    EXPECT_EQ(split(text_kernel(naive_gemm(), store(), o), '\n')[0].substr(0, 12), "gemm / naive");
}

TEST(Text, AWrongResultIsNotDrawnOrDiagnosed) {
    const std::string text = text_kernel(wrong_gemm(), store(), width(80));
    EXPECT_TRUE(contains(text, "The result is wrong"));
    EXPECT_TRUE(contains(text, "result wrong (error 4.0e-01"));
    EXPECT_FALSE(contains(text, "FLOP/B\n"));
    EXPECT_FALSE(contains(text, "findings"));
    EXPECT_FALSE(contains(text, "TFLOP/s"));
}

TEST(Text, WhatIfShowsFlopsOnlyWhereThereAreSome) {
    Analysed gemm = naive_gemm();
    gemm.placement.points.push_back(on_mi300x(true));
    EXPECT_TRUE(contains(line_with(text_kernel(gemm, store(), width(80)), "mi300x"), "163 TFLOP/s"));
    Analysed copy = recorded_copy();
    copy.placement.points.push_back(on_mi300x(false));
    const std::string line = line_with(text_kernel(copy, store(), width(80)), "mi300x");
    EXPECT_TRUE(contains(line, "5.3 TB/s") && contains(line, "405.0 µs")) << line;
    EXPECT_FALSE(contains(line, "FLOP"));
}

TEST(Text, APointAboveItsRoofIsFlagged) {
    Analysed a = naive_gemm();
    a.placement.points[0].above_roof = true;
    a.placement.points[0].note = "140 % of its roof";
    EXPECT_TRUE(
        contains(text_kernel(a, store(), width(80)), "! above the FP32 roof at DRAM: 140 % of its roof"));
}

TEST(Text, FindingsLeftOutAreCounted) {
    Analysed a = naive_gemm();
    for (int i = 0; i < 6; ++i) a.diagnosis.findings.push_back(a.diagnosis.findings[1]);
    EXPECT_TRUE(contains(text_kernel(a, store(), width(80)), "4 more with -v"));
    TextOptions o = width(80);
    o.verbosity = 1;
    EXPECT_TRUE(contains(text_kernel(a, store(), o), " 8  dram_traffic"));
}

TEST(Text, QuietIsOneLine) {
    TextOptions o = width(80);
    o.verbosity = -1;
    EXPECT_EQ(
        text_kernel(wrong_gemm(), store(), o),
        "gemm / naive · fp32 · 4096×4096×4096: The result is wrong: relative error 0.4, tolerance 1e-5.\n");
    EXPECT_EQ(text_kernel(recorded_copy(), store(), o),
              "copy · fp32 · 268435456: At its limit: DRAM. [recording of 2026-11-30 on NVIDIA H200]\n");
}

TEST(Text, AFailureIsSaidWithoutEmptyTables) {
    Analysed a = naive_gemm();
    a.profile.failure = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES";
    a.diagnosis.status = "not_measured";
    a.diagnosis.verdict = "Not measured: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES";
    const std::string text = text_kernel(a, store(), width(80));
    EXPECT_TRUE(contains(text, "Not measured"));
    EXPECT_FALSE(contains(text, "22.93 ms"));
}

TEST(Text, ReportOfFewIsScreensAndATableReportOfManyATable) {
    const Report few{{naive_gemm(), recorded_copy()}, {}};
    const std::string both = text_report(few, store(), width(80));
    EXPECT_TRUE(contains(both, "findings, by expected gain") && contains(both, "change first"));
    Report many;
    for (int i = 0; i < 1000; ++i) many.kernels.push_back(i == 7 ? recorded_copy() : naive_gemm());
    const std::string table = text_report(many, store(), width(80));
    EXPECT_EQ(table.substr(0, 23), "recording of 2026-11-30");
    EXPECT_FALSE(contains(table, "findings, by expected gain"));
    EXPECT_GT(split(table, '\n').size(), 2000U);
    EXPECT_EQ(text_report({}, store(), width(80)), "no kernel was measured\n");
}

TEST(Summary, OneAlignedLineAKernelAndANoteForFailures) {
    Analysed failed = naive_gemm();
    failed.profile.failure = "the driver said no";
    failed.profile.time = Measurement::missing("time", "ns", Status::failed, "no");
    failed.placement.points.clear();
    const Report r{{naive_gemm(), recorded_copy(), wrong_gemm(), failed}, {}};
    expect_golden(text_summary(r, width(120)), "summary.txt");
    EXPECT_LE(widest(text_summary(r, width(80))), 80U);
    EXPECT_TRUE(contains(text_summary(r, width(80)), "57"));
}

TEST(Summary, WhatAllShareIsSaidOnce) {
    const std::string ladder = text_summary({{naive_gemm(), naive_gemm()}, {}}, width(80));
    EXPECT_EQ(split(ladder, '\n')[0], "all kernels: fp32 · 4096x4096x4096");
    EXPECT_FALSE(contains(split(ladder, '\n')[1], "shape"));
    EXPECT_TRUE(contains(text_summary({{naive_gemm(), recorded_copy()}, {}}, width(80)), "268435456"));
}

TEST(View, ATypoNamesTheFile) {
    const std::filesystem::path dir = std::filesystem::path(testing::TempDir()) / "kprof_view" / "views";
    std::filesystem::create_directories(dir);
    const auto fails = [&](const std::string& text, const std::string& says) {
        std::ofstream(dir / "text.json") << text;
        try {
            (void)TextView::load(ConfigStore::open(dir.parent_path().string()));
            ADD_FAILURE() << "accepted: " << text;
        } catch (const Error& e) {
            EXPECT_TRUE(contains(e.what(), "text.json")) << e.what();
            EXPECT_TRUE(contains(e.what(), says)) << e.what();
            EXPECT_EQ(e.code(), ExitCode::usage);
        }
    };
    const std::string tail =
        R"(, "stalls": {"label": "s", "unit": "", "count": 3, "items": []}, "findings_shown": 1, "full_up_to": 1})";
    fails(R"({"rows": [{"label": "x", "items": [{"metrc": "time"}]}])" + tail, "metrc");
    fails(R"({"rows": [{"label": "x", "items": [{"kind": "colour"}]}])" + tail, "colour");
    fails(R"({"rows": [{"label": "x", "items": [{"label": "no metric"}]}])" + tail, "names no metric");
    std::filesystem::remove_all(dir.parent_path());
}

TEST(View, EveryMetricOfTheScreenIsInTheCatalogue) {
    const Catalogue catalogue = Catalogue::load(store(), "nvidia", "GH100");
    const TextView view = TextView::load(store());
    std::vector<ViewItem> items = view.stalls;
    for (const ViewRow& row : view.rows) items.insert(items.end(), row.items.begin(), row.items.end());
    ASSERT_GT(items.size(), 10U);
    for (const ViewItem& item : items) {
        if (item.id.empty()) continue;
        EXPECT_NE(catalogue.find(item.id), nullptr) << item.id;
    }
}

}  // namespace
}  // namespace kprof
