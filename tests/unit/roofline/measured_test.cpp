// The "measured" section of a config: read, held against faults, and used beside the published roofs.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "roofline/measured_section.hpp"
#include "roofline/place.hpp"
#include "support.hpp"

namespace kprof {
namespace {

std::string with(const std::string& ceilings) {
    return R"({"id": "own", "name": "a GPU of its own", "vendor": "nvidia", "arch": "hopper", "match": ["own"],
        "sm_count": {"value": 132, "mark": "V", "source": "a test"},
        "clock_mhz": {"value": 1980, "mark": "V", "source": "a test"},
        "ceilings": [{"kind": "bandwidth", "name": "dram", "value": 4.8e12, "unit": "B/s", "origin": "datasheet",
                      "mark": "V", "source": "a test"},
                     {"kind": "compute", "name": "bf16", "pipe": "tensor", "value": 989.4e12, "unit": "FLOP/s",
                      "origin": "datasheet", "mark": "V", "clock_mhz": 1830, "source": "a test"}],
        "measured": {"date": "2026-01-31T12:00:00Z", "gpu": "NVIDIA H200", "driver": "580.1",
        "ceilings": [)" +
           ceilings + "]}}";
}

const char* const copy =
    R"({"kind": "bandwidth", "name": "dram", "value": 4.3e12, "unit": "B/s", "how": "copy"})";
const char* const read =
    R"({"kind": "bandwidth", "name": "dram", "value": 4.4e12, "unit": "B/s", "spread": 0.002, "how": "read"})";

Machine loaded(const std::string& text) {
    const test::Folder folder;
    folder.write("gpus/own.json", text);
    return load_machine(ConfigStore::open(folder.path()), "own");
}

TEST(Measured, TheHighestWayCountsAndThePublishedRoofStays) {
    const Machine m = loaded(with(std::string(copy) + ", " + read));
    ASSERT_NE(m.measured_bandwidth("dram"), nullptr);
    EXPECT_EQ(m.measured_bandwidth("dram")->how, "read");
    EXPECT_DOUBLE_EQ(m.bandwidth("dram")->value, 4.8e12);
    EXPECT_EQ(m.measured_bandwidth("l2"), nullptr);
    EXPECT_EQ(m.measured_date, "2026-01-31");
    const std::string source = m.measured_bandwidth("dram")->source;
    for (const char* part : {"read", "NVIDIA H200", "580.1", "2026-01-31", "0.2 %"})
        EXPECT_NE(source.find(part), std::string::npos) << source;
}

TEST(Measured, ASuspectIsShownAndNotUsed) {
    const std::string suspect =
        R"({"kind": "bandwidth", "name": "dram", "value": 9e12, "unit": "B/s", "how": "write", "suspect": true})";
    const Machine m = loaded(with(std::string(copy) + ", " + suspect));
    EXPECT_EQ(m.measured.size(), 2u);
    EXPECT_DOUBLE_EQ(m.measured_bandwidth("dram")->value, 4.3e12);
}

TEST(Measured, FaultsAreNamed) {
    const std::vector<std::pair<std::string, std::string>> faults = {
        {R"({"kind": "bandwidth", "name": "l9", "value": 1, "unit": "B/s", "how": "x"})", "l9"},
        {R"({"kind": "bandwidth", "name": "l2", "value": 0, "unit": "B/s", "how": "x"})", "value"},
        {R"({"kind": "bandwidth", "name": "l2", "value": 1, "unit": "FLOP/s", "how": "x"})", "unit"},
        {R"({"kind": "bandwidth", "name": "l2", "value": 1, "unit": "B/s"})", "how"},
        {R"({"kind": "compute", "name": "fp32", "pipe": "xu", "value": 1, "unit": "FLOP/s", "how": "x"})",
         "xu"},
        {R"({"kind": "compute", "name": "fp32", "value": 1, "unit": "FLOP/s", "how": "x"})", "pipe"},
        {R"({"kind": "compute", "name": "int8", "pipe": "tensor", "value": 1, "unit": "FLOP/s", "how": "x"})",
         "unit"},
        {R"({"kind": "bandwidth", "name": "l2", "value": 1, "unit": "B/s", "how": "x", "spread": -1})",
         "spread"},
        {R"({"kind": "bandwidth", "name": "l2", "value": 1, "unit": "B/s", "how": "x", "colour": "red"})",
         "colour"},
    };
    for (const auto& [text, names] : faults) {
        try {
            loaded(with(text));
            ADD_FAILURE() << text;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find(names), std::string::npos) << e.what();
        }
    }
}

TEST(Measured, AnUpperLayerReplacesOnlyTheRoofsThatItHolds) {
    Machine m = loaded(with(std::string(copy) + ", " + read));
    MeasuredSection other;
    other.date = "2026-02-01";
    other.gpu = "NVIDIA H200";
    other.driver = "580.1";
    Ceiling l2 = *m.measured_bandwidth("dram");
    l2.name = "l2";
    other.ceilings = {l2};
    apply_measured(other, m);
    EXPECT_EQ(m.measured.size(), 3u);
    Ceiling dram = l2;
    dram.name = "dram";
    dram.value = 1e12;
    other.ceilings = {dram};
    apply_measured(other, m);
    EXPECT_DOUBLE_EQ(m.measured_bandwidth("dram")->value, 1e12);
    EXPECT_NE(m.measured_bandwidth("l2"), nullptr);
    // Measured under another driver, the rest is of another time: it would be shown under a wrong date.
    other.driver = "999.1";
    apply_measured(other, m);
    EXPECT_EQ(m.measured.size(), 1u);
    EXPECT_EQ(m.measured_bandwidth("l2"), nullptr);
}

TEST(Measured, WhatIsFarAboveThePublishedRoofIsNeverUsed) {
    const Machine m = loaded(
        with(R"({"kind": "bandwidth", "name": "dram", "value": 9e15, "unit": "B/s", "how": "a typo"})"));
    ASSERT_EQ(m.measured.size(), 1u);
    EXPECT_TRUE(m.measured.front().suspect);
    EXPECT_EQ(m.measured_bandwidth("dram"), nullptr);
}

struct Copy {
    KernelProfile p;
    MetricSet metrics;
};

// Moves `bytes` of DRAM and L2 in one millisecond, without arithmetic.
Copy moving(double bytes) {
    Copy out;
    out.p.time = Measurement::of("time", 1e6, "ns", Origin::timer);
    test::set(out.metrics, "dram_bytes", bytes, "B");
    test::set(out.metrics, "l2_bytes", 1.5 * bytes, "B");  // what the cache fetches counts as well
    test::set(out.metrics, "l2_sm_bytes", bytes, "B");
    return out;
}

const RooflinePoint& point_at(const Placement& placement, const std::string& level) {
    for (const RooflinePoint& p : placement.points) {
        if (p.level == level) return p;
    }
    throw std::out_of_range(level);
}

TEST(Measured, APointTellsItsShareOfBothRoofs) {
    const Machine m = loaded(with(read));
    const Copy k = moving(4.3e9);
    const Placement placement = place(k.p, k.metrics, m);
    const RooflinePoint& p = point_at(placement, "dram");
    EXPECT_NEAR(p.fraction, 4.3 / 4.8, 1e-9);
    EXPECT_NEAR(p.measured_fraction, 4.3 / 4.4, 1e-9);
}

TEST(Measured, WithoutASectionNothingIsSaidOfIt) {
    const Machine m = load_machine(ConfigStore::open(test::configs()), "a100");
    const Copy k = moving(1e9);
    for (const RooflinePoint& p : place(k.p, k.metrics, m).points) EXPECT_EQ(p.measured_fraction, 0);
}

TEST(Measured, TheL2RoofIsTheMeasuredOneWhereNoneIsPublished) {
    const Machine m = loaded(
        with(R"({"kind": "bandwidth", "name": "l2", "value": 5.5e12, "unit": "B/s", "how": "reads"})"));
    const Copy k = moving(4.4e9);
    const Placement placement = place(k.p, k.metrics, m);
    const RooflinePoint& p = point_at(placement, "l2");
    EXPECT_DOUBLE_EQ(p.bandwidth_roof, 5.5e12);
    EXPECT_NEAR(p.fraction, 4.4 / 5.5, 1e-9);
    EXPECT_NE(p.note.find("kprof ceilings measured"), std::string::npos) << p.note;
    // Faster than that loop is no fault of the tool.
    Copy fast = moving(4.4e9);
    test::set(fast.metrics, "l2_sm_bytes", 7e9, "B");
    EXPECT_FALSE(point_at(place(fast.p, fast.metrics, m), "l2").above_roof);
    // Without the SMs' own bytes nothing is held against it: all of L2's traffic would be too much.
    Copy old = moving(4.4e9);
    old.metrics.erase("l2_sm_bytes");
    test::set(old.metrics, "l2_active", 50, "%");
    test::set(old.metrics, "l2_bandwidth", 6.6e12, "B/s");
    EXPECT_DOUBLE_EQ(point_at(place(old.p, old.metrics, m), "l2").bandwidth_roof, 13.2e12);
}

TEST(Measured, AComputeBoundKernelIsHeldAgainstTheMeasuredPeak) {
    const Machine m = loaded(with(
        R"({"kind": "compute", "name": "bf16", "pipe": "tensor", "value": 850e12, "unit": "FLOP/s", "clock_mhz": 1630, "how": "cuBLASLt"})"));
    Copy k = moving(1e8);
    k.p.work = Work{};
    k.p.work->flops = 800e9;
    k.p.work->precision = "bf16";
    k.p.work->matrix_product = true;
    const Placement placement = place(k.p, k.metrics, m);
    const RooflinePoint& p = point_at(placement, "dram");
    EXPECT_EQ(p.bound, "compute");
    EXPECT_NEAR(p.measured_fraction, 800.0 / 850, 1e-9);
    // A roof that binds but was not measured: nothing is made up from the other one.
    k.p.work->flops = 1e9;
    EXPECT_EQ(point_at(place(k.p, k.metrics, m), "dram").measured_fraction, 0);
}

}  // namespace
}  // namespace kprof
