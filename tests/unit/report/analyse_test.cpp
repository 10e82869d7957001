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
    EXPECT_TRUE(
        says(a.analyse(p).diagnosis.notes,
             "the driver says 1 blocks fit on an SM, our sum says 2: kprof's limits for this GPU are wrong"));
}

TEST(Analyse, MoreOccupancyThanPossibleIsADoubtAboutTheProfile) {
    Analyser a = analyser();
    KernelProfile p = profile();
    const char* counter = "sm__warps_active.avg.pct_of_peak_sustained_active";
    p.counters[counter] = Measurement::of(counter, 99.9, "", Origin::counter);
    EXPECT_FALSE(says(a.analyse(p).diagnosis.notes, "an occupancy of"));
    p.launch.smem_dynamic = 200000;  // one block of 32 warps an SM
    EXPECT_TRUE(says(
        a.analyse(p).diagnosis.notes,
        "an occupancy of 99.9 % was measured, but the launch allows 50.0 % at most (limit: shared memory)"));
    p.launch.registers = 256;
    EXPECT_TRUE(says(a.analyse(p).diagnosis.notes,
                     "this launch is impossible (needs 256 registers per thread, a thread can have 255)"));
    p.provenance.kind = "model";
    p.counters.clear();
    EXPECT_FALSE(says(a.analyse(p).diagnosis.notes, "yet it was measured"));
}

TEST(Analyse, WhatIsOddAboutTheDeviceIsANote) {
    Analyser a = analyser();
    KernelProfile p = profile();
    p.provenance.device.name = "NVIDIA A100-SXM4-80GB";
    EXPECT_TRUE(says(a.analyse(p).diagnosis.notes, "This device is called 'NVIDIA A100-SXM4-80GB'"));
}

TEST(Analyse, CountersOfAnUnknownChipAreNotNoCounters) {
    Analyser a = analyser();
    KernelProfile p = profile();
    EXPECT_FALSE(says(a.analyse(p).diagnosis.notes, "none known"));
    p.provenance.device.chip = "gfx942";
    p.provenance.device.vendor = "amd";
    const Diagnosis d = a.analyse(p).diagnosis;
    EXPECT_TRUE(says(d.notes, "1 counter was read, none known for the chip gfx942: describe it"));
    EXPECT_EQ(d.verdict,
              "1 counter was read, none known for the chip gfx942: what bounds this kernel is open.");
    EXPECT_EQ(d.steps.at(0).why, "no counter is known for this chip");
    p.counters.clear();
    EXPECT_FALSE(says(a.analyse(p).diagnosis.notes, "none known"));
}

TEST(Analyse, AFailedTimeKeepsItsReason) {
    Analyser a = analyser();
    KernelProfile p = profile();
    p.time = Measurement::missing("time", "ns", Status::failed, "boom");
    EXPECT_TRUE(contains(a.analyse(p).metrics.at("time").reason, "boom"));
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
