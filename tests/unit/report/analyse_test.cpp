#include <algorithm>

#include "support.hpp"

namespace kprof {
namespace {

using namespace test;

KernelProfile profile() {
    KernelProfile p = naive_gemm().profile;
    p.provenance.device.sm_count = 132;
    return p;
}

Analyser analyser() {
    return Analyser(store(), RuleSet::load(store()));
}

bool says(const std::vector<std::string>& notes, const std::string& part) {
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& n) { return contains(n, part); });
}

TEST(Analyse, GoesTheWholeLine) {
    Analyser a = analyser();
    const Analysed r = a.analyse(profile());
    ASSERT_TRUE(r.machine.has_value());
    EXPECT_EQ(r.machine->id, "h200");
    ASSERT_TRUE(r.occupancy.has_value());
    EXPECT_EQ(r.occupancy->blocks_per_sm, 2);
    EXPECT_TRUE(r.metrics.at("occupancy_theoretical").ok());
    EXPECT_TRUE(r.metrics.at("waves").ok());
    EXPECT_NEAR(r.metrics.at("waves").value, 128.0 * 128 / (2 * 132), 0.01);
    ASSERT_TRUE(r.metrics.at("time").spread.has_value());
    EXPECT_FALSE(r.placement.points.empty());
    EXPECT_EQ(r.diagnosis.steps.size(), 5U);
    EXPECT_FALSE(r.diagnosis.verdict.empty());
}

TEST(Analyse, WhatIfPlacesOrSaysWhyNot) {
    Analyser a = analyser();
    a.add_what_if(load_machine(store(), "mi300x"));
    const Analysed r = a.analyse(profile());
    EXPECT_TRUE(std::any_of(r.placement.points.begin(), r.placement.points.end(), [](const RooflinePoint& p) {
        return p.what_if && p.machine == "mi300x" && p.time_ns > 0;
    }));
    KernelProfile unknown = profile();
    unknown.work.reset();
    EXPECT_TRUE(says(a.analyse(unknown).placement.notes, "mi300x: "));
}

TEST(Analyse, TheDriversOccupancyIsHeldAgainstOurs) {
    Analyser a = analyser();
    KernelProfile p = profile();
    p.launch.driver_blocks_per_sm = 2;
    EXPECT_FALSE(says(a.analyse(p).diagnosis.notes, "the driver says"));
    p.launch.driver_blocks_per_sm = 1;
    EXPECT_TRUE(says(a.analyse(p).diagnosis.notes, "the driver says 1 blocks fit on an SM, our sum says 2"));
}

TEST(Analyse, AWrongResultStaysWrongAboveItsRoof) {
    Analyser a = analyser();
    KernelProfile p = profile();
    p.verification = {"wrong", 0.4, 1e-5, ""};
    p.time = Measurement::of("time", 1000, "ns", Origin::timer);  // 137 PFLOP/s
    const Analysed r = a.analyse(p);
    EXPECT_EQ(r.diagnosis.status, "wrong_result");
    EXPECT_TRUE(r.diagnosis.findings.empty());
}

TEST(Analyse, AnUnknownGpuHasNoRooflineButADiagnosis) {
    Analyser a = analyser();
    KernelProfile p = profile();
    p.provenance.device = DeviceFacts{};
    p.provenance.device.name = "Voodoo 5";
    const Analysed r = a.analyse(p);
    EXPECT_FALSE(r.machine.has_value());
    EXPECT_EQ(r.diagnosis.steps.size(), 5U);
    EXPECT_TRUE(contains(text_kernel(r, store(), {}), "no roofline"));
}

TEST(Analyse, CataloguesAreKept) {
    Analyser a = analyser();
    EXPECT_EQ(&a.catalogue("nvidia", "GH100"), &a.catalogue("nvidia", "GH100"));
}

}  // namespace
}  // namespace kprof
