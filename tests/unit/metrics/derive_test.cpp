#include "metrics/derive.hpp"

#include "test_store.hpp"

namespace kprof {
namespace {

Measurement counter(double value, Origin origin = Origin::counter) {
    return Measurement::of("", value, "", origin);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Fixture {
    KernelProfile p;
    TestStore store;
    MetricSet run(const std::string& metrics, const Facts& facts = {}) const {
        store.write("tchip", file(metrics));
        return derive(p, store.load("TT1"), facts);
    }
    Measurement one(const std::string& recipe, const std::string& unit = "") const {
        return run(metric("a", recipe, unit)).at("a");
    }
};

TEST(FactsOf, OnlyWhatIsKnown) {
    KernelProfile p;
    EXPECT_TRUE(facts_of(p).empty());
    p.time = Measurement::of("time", 500, "ns", Origin::timer);
    p.launch.grid = {4, 3, 2};
    p.launch.block = {32, 2, 1};
    p.launch.registers = 40;
    p.launch.smem_dynamic = 1024;
    p.launch.local_bytes = 0;
    p.work = Work{};
    p.work->min_bytes = 10;
    p.provenance.device.sm_count = 132;
    p.provenance.device.clock_max_mhz = 1980;
    const Facts facts = facts_of(p);
    const Facts expected = {{"time_ns", 500},         {"work_flops", 0},
                            {"min_bytes", 10},        {"blocks", 24},
                            {"registers", 40},        {"threads_per_block", 64},
                            {"smem_per_block", 1024}, {"sm_count", 132},
                            {"clock_max_mhz", 1980},  {"local_bytes_per_thread", 0}};
    EXPECT_EQ(facts, expected);
    for (const auto& [name, value] : facts) {
        EXPECT_TRUE(std::binary_search(fact_names().begin(), fact_names().end(), name)) << name;
    }
}

TEST(FactsOf, AnAnnotationOfBytesSaysNothingOfFlops) {
    KernelProfile p;
    p.work = Work{};
    p.work->min_bytes = 100;
    p.work->origin = "annotation";
    EXPECT_EQ(facts_of(p).count("work_flops"), 0U);
    p.work->flops = 7;
    EXPECT_EQ(facts_of(p).at("work_flops"), 7);
}

TEST(Derive, ValueUnitAndOrigin) {
    Fixture f;
    f.p.counters["x__a.sum"] = counter(6);
    f.p.time = Measurement::of("time", 2, "ns", Origin::timer);
    f.p.time.spread = 0.01;
    const MetricSet m =
        f.run(metric("a", R"("formula": "x__a.sum / 2")", "B") + "," +
                  metric("t", R"("formula": "time_ns")", "ns") + "," +
                  metric("rate", R"("formula": "a / t")", "B/s") + "," +
                  metric("model", R"("formula": "rate / min_bytes")") + "," +
                  metric("forced", R"("alternatives": [{"formula": "a", "origin": "model"}])"),
              {{"min_bytes", 3}});
    EXPECT_EQ(m.size(), 5U);
    EXPECT_DOUBLE_EQ(m.at("rate").value, 1.5);
    EXPECT_EQ(m.at("rate").unit, "B/s");
    EXPECT_EQ(m.at("rate").id, "rate");
    EXPECT_EQ(m.at("a").origin, Origin::counter);
    EXPECT_EQ(m.at("t").origin, Origin::timer);
    EXPECT_EQ(m.at("rate").origin, Origin::counter);
    EXPECT_EQ(m.at("model").origin, Origin::model);
    EXPECT_EQ(m.at("forced").origin, Origin::model);
    EXPECT_FALSE(m.at("a").spread);
    EXPECT_DOUBLE_EQ(m.at("rate").spread.value_or(0), 0.01);
    EXPECT_EQ(m.at("rate").reason, "");
}

TEST(Derive, ImportedCountersStayImported) {
    Fixture f;
    f.p.counters["x__a.sum"] = counter(6, Origin::imported);
    EXPECT_EQ(f.one(R"("formula": "min(1, 2) * x__a.sum")").origin, Origin::imported);
}

TEST(Derive, MissingInputsByStatus) {
    Fixture f;
    const std::string recipe = R"("formula": "x__a.sum + x__b.sum + x__c.sum")";
    Measurement m = f.one(recipe);
    EXPECT_EQ(m.status, Status::not_collected);
    EXPECT_TRUE(has(m.reason, "x__a.sum") && has(m.reason, "x__c.sum")) << m.reason;
    f.p.counters["x__b.sum"] = Measurement::missing("", "", Status::failed, "nothing came");
    m = f.one(recipe);
    EXPECT_EQ(m.status, Status::failed);
    EXPECT_EQ(m.reason, "x__b.sum: nothing came");
    f.p.counters["x__c.sum"] = Measurement::missing("", "", Status::unsupported, "not on this chip");
    m = f.one(recipe);
    EXPECT_EQ(m.status, Status::unsupported);
    EXPECT_EQ(m.reason, "x__c.sum: not on this chip");
    EXPECT_FALSE(m.get());
}

TEST(Derive, MissingPropagatesThroughMetrics) {
    Fixture f;
    f.p.counters["x__a.sum"] = Measurement::missing("", "", Status::failed, "lost");
    const MetricSet m =
        f.run(metric("b", R"("formula": "1 / a")") + "," + metric("a", R"("formula": "x__a.sum")"));
    EXPECT_EQ(m.at("b").status, Status::failed);
    EXPECT_EQ(m.at("b").reason, "x__a.sum: lost");
}

TEST(Derive, FactsThatAreNotKnown) {
    Fixture f;
    EXPECT_EQ(f.one(R"("formula": "min_bytes")").reason, "min_bytes is not known");
    f.p.time = Measurement::missing("time", "ns", Status::failed, "the launch failed");
    const Measurement m = f.one(R"("formula": "2 * time_ns")");
    EXPECT_EQ(m.status, Status::failed);
    EXPECT_EQ(m.reason, "time: the launch failed");
}

TEST(Derive, LongListsOfMissingNamesAreCut) {
    Fixture f;
    const Measurement m = f.one(R"("formula": "x__a.x + x__b.x + x__c.x + x__d.x + x__e.x")");
    EXPECT_TRUE(has(m.reason, "x__c.x") && has(m.reason, "and 2 more") && !has(m.reason, "x__d.x"))
        << m.reason;
}

TEST(Derive, AlternativesInOrder) {
    Fixture f;
    const std::string recipe =
        R"("alternatives": [{"formula": "x__best.sum"}, {"formula": "x__next.sum", "because": "a bound"}])";
    f.p.counters["x__next.sum"] = counter(2);
    Measurement m = f.one(recipe);
    EXPECT_EQ(m.value, 2);
    EXPECT_EQ(m.reason, "a bound");
    f.p.counters["x__best.sum"] = counter(1);
    m = f.one(recipe);
    EXPECT_EQ(m.value, 1);
    EXPECT_EQ(m.reason, "");
    // The reason of a fallback follows the value into what is built on it.
    f.p.counters.erase("x__best.sum");
    const MetricSet set = f.run(metric("a", recipe) + "," + metric("b", R"("formula": "a * 2")"));
    EXPECT_EQ(set.at("b").reason, "a: a bound");
}

TEST(Derive, TheAlternativeNearestToAValueExplains) {
    Fixture f;
    f.p.counters["x__best.sum"] = Measurement::missing("", "", Status::unsupported, "no");
    const Measurement m =
        f.one(R"("alternatives": [{"formula": "x__best.sum"}, {"formula": "x__next.sum", "because": "b"}])");
    EXPECT_EQ(m.status, Status::not_collected);
    EXPECT_EQ(m.reason, "x__next.sum was not collected");
}

TEST(Derive, WhatFailedIsSaidBeforeWhatWasNotCollected) {
    Fixture f;
    const std::string recipe =
        R"("alternatives": [{"formula": "time_ns"}, {"formula": "x__next.sum", "because": "b"}])";
    f.p.time = Measurement::missing("time", "ns", Status::failed, "boom");
    Measurement m = f.one(recipe);
    EXPECT_EQ(m.status, Status::not_collected);  // it can still be had
    EXPECT_EQ(m.reason, "time: boom; x__next.sum was not collected");
    f.p.time = Measurement::missing("time", "ns", Status::failed, "");
    m = f.one(R"("formula": "time_ns")");
    EXPECT_EQ(m.status, Status::failed);
    EXPECT_EQ(m.reason, "time: failed");
}

TEST(Derive, When) {
    Fixture f;
    const std::string recipe = R"("alternatives": [{"formula": "10", "when": "x__w.sum > 4"},
        {"formula": "20", "when": "x__w.sum < 3", "because": "low"}])";
    f.p.counters["x__w.sum"] = counter(5);
    EXPECT_EQ(f.one(recipe).value, 10);
    EXPECT_EQ(f.one(recipe).origin, Origin::counter);
    f.p.counters["x__w.sum"] = counter(1);
    EXPECT_EQ(f.one(recipe).value, 20);
    f.p.counters["x__w.sum"] = counter(3.5);
    EXPECT_EQ(f.one(recipe).status, Status::failed);
    f.p.counters.erase("x__w.sum");
    EXPECT_EQ(f.one(recipe).status, Status::not_collected);
}

TEST(Derive, NoFiniteNumber) {
    Fixture f;
    f.p.counters["x__a.sum"] = counter(0);
    const Measurement m = f.one(R"("formula": "1 / x__a.sum")");
    EXPECT_EQ(m.status, Status::failed);
    EXPECT_TRUE(has(m.reason, "1 / x__a.sum")) << m.reason;
    f.p.counters["x__a.sum"].value = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(f.one(R"("formula": "x__a.sum")").status, Status::failed);
}

TEST(Derive, Undefined) {
    Fixture f;
    f.p.counters["x__a.sum"] = counter(0);
    const std::string recipe =
        R"("formula": "1 / x__a.sum", "undefined": [{"formula": "x__a.sum == 0", "because": "no accesses"}])";
    EXPECT_EQ(f.one(recipe).status, Status::failed);
    EXPECT_EQ(f.one(recipe).reason, "no accesses");
    f.p.counters["x__a.sum"] = counter(4);
    EXPECT_EQ(f.one(recipe).value, 0.25);
}

TEST(Derive, ImpossibleValuesAreNotPassedOn) {
    Fixture f;
    f.p.counters["x__a.sum"] = counter(101.9);
    const std::string recipe = R"("formula": "x__a.sum")";
    EXPECT_DOUBLE_EQ(f.one(recipe, "%").value, 101.9);
    f.p.counters["x__a.sum"] = counter(137);
    EXPECT_EQ(f.one(recipe, "%").status, Status::failed);
    EXPECT_EQ(f.one(recipe, "%").reason, "impossible value 137 %: above 102");
    EXPECT_EQ(f.one(recipe).value, 137);  // not a percentage
    f.p.counters["x__a.sum"] = counter(-2);
    EXPECT_TRUE(has(f.one(recipe, "B").reason, "impossible value -2 B: below 0"));
}

TEST(Derive, Clip) {
    Fixture f;
    const std::string recipe = R"("formula": "x__a.pct", "max": 101, "clip": 100)";
    f.p.counters["x__a.pct"] = counter(100.6);
    EXPECT_EQ(f.one(recipe, "%").value, 100);
    EXPECT_TRUE(has(f.one(recipe, "%").reason, "100.6"));
    f.p.counters["x__a.pct"] = counter(99);
    EXPECT_EQ(f.one(recipe, "%").value, 99);
    EXPECT_EQ(f.one(recipe, "%").reason, "");
    f.p.counters["x__a.pct"] = counter(101.5);
    EXPECT_EQ(f.one(recipe, "%").status, Status::failed);
}

TEST(Derive, Sane) {
    Fixture f;
    const std::string metrics =
        metric(
            "a",
            R"("formula": "x__a.sum", "sane": [{"formula": "a > 0 || busy <= 5", "because": "0 on a busy pipe"}])") +
        "," + metric("busy", R"("formula": "x__busy.pct")", "%");
    f.p.counters["x__a.sum"] = counter(0);
    EXPECT_EQ(f.run(metrics).at("a").value, 0) << "a check with a missing input is left out";
    EXPECT_TRUE(f.run(metrics).at("a").ok());
    f.p.counters["x__busy.pct"] = counter(60);
    EXPECT_EQ(f.run(metrics).at("a").status, Status::failed);
    EXPECT_TRUE(has(f.run(metrics).at("a").reason, "0 on a busy pipe"));
    f.p.counters["x__a.sum"] = counter(1);
    EXPECT_TRUE(f.run(metrics).at("a").ok());
}

TEST(Derive, UnsupportedOnTheChip) {
    const Fixture f;
    const Measurement m = f.one(R"("unsupported": "no such pipe")");
    EXPECT_EQ(m.status, Status::unsupported);
    EXPECT_EQ(m.reason, "no such pipe");
}

TEST(Derive, CallersFactsWin) {
    Fixture f;
    f.p.provenance.device.sm_count = 10;
    EXPECT_EQ(f.run(metric("a", R"("formula": "sm_count")"), {{"sm_count", 20}}).at("a").value, 20);
}

}  // namespace
}  // namespace kprof
