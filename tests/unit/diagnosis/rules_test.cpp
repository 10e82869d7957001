// Rule files: reading, layers, overrides, the linter.
#include <gtest/gtest.h>

#include "diagnosis/lint.hpp"
#include "diagnosis/text.hpp"
#include "folder.hpp"
#include "kernels.hpp"
#include "metrics/catalogue.hpp"

namespace kprof::test {
namespace {

TEST(Rules, AreTheFiveStepsAndTheSecondHalfOfTheFirst) {
    const std::vector<std::string> expected = {"tensor_cores", "tensor_starved", "coalescing",
                                               "occupancy",    "barriers",       "dram_traffic"};
    EXPECT_EQ(rules().ids(), expected);
}

TEST(Rules, DescribeForPeople) {
    const RuleText t = describe(rules(), "coalescing");
    EXPECT_EQ(t.step, 2);
    EXPECT_DOUBLE_EQ(t.threshold.value(), 10);
    EXPECT_EQ(t.fails, "excess_sectors > threshold");
    EXPECT_FALSE(t.source.empty());
    EXPECT_FALSE(t.advice.empty());
    EXPECT_TRUE(holds(t.applies, "lsu_traffic_share >= stray_share"));
    EXPECT_TRUE(t.leads);
    EXPECT_FALSE(describe(rules(), "tensor_starved").leads);
    EXPECT_THROW(describe(rules(), "coalesing"), Error);
}

TEST(Rules, OverrideMovesTheThresholdAndSaysSo) {
    RuleSet r = RuleSet::load(store());
    r.override_threshold("dram_traffic.threshold=50");
    Diagnosis d = naive().diagnose(r);
    EXPECT_EQ(step(d, 5).state, StepState::pass);
    EXPECT_DOUBLE_EQ(step(d, 5).threshold.value(), 50);
    EXPECT_EQ(step(d, 5).threshold_origin, "--threshold");
    EXPECT_TRUE(holds(step(d, 1).threshold_origin, "rules/tensor_cores.json"));
    r.override_threshold("dram_traffic=40");
    d = naive().diagnose(r);
    EXPECT_EQ(step(d, 5).state, StepState::fail);
}

TEST(Rules, OverrideRejectsUnknownRulesAndTexts) {
    RuleSet r = RuleSet::load(store());
    for (const char* bad : {"tensor_core=40", "tensor_cores=forty", "tensor_cores=4x",
                            "tensor_cores=", "tensor_cores", "tensor_cores=nan", "tensor_cores=inf"}) {
        EXPECT_THROW(r.override_threshold(bad), Error) << bad;
    }
    try {
        r.override_threshold("tensor_core=40");
    } catch (const Error& e) {
        EXPECT_TRUE(holds(e.what(), "tensor_cores")) << e.what();
    }
}

TEST(Rules, AUserFileMayHoldJustTheThreshold) {
    const Folder folder("rules/dram_traffic.json", R"({"id": "dram_traffic", "threshold": 45})");
    const Diagnosis d = naive().diagnose(folder.load());
    EXPECT_EQ(step(d, 5).state, StepState::pass);
    EXPECT_TRUE(holds(step(d, 5).threshold_origin, "kprof-rules-")) << step(d, 5).threshold_origin;
}

TEST(Rules, AUserFileMayAddARule) {
    const Folder folder("rules/spills.json", R"({
  "id": "local_memory", "step": 0, "title": "spills", "explains": "x", "source": "y", "severity": "low",
  "metric": "local_bytes", "unit": "B", "op": ">", "threshold": 1000,
  "fails": "local_bytes > threshold",
  "gain": {"after": {"dram": "t.dram / 2"}, "keeps_waits": true, "assumes": "half of it"},
  "advice": "a", "verdict": "{local_bytes} of spills"
})");
    Kernel k = stream("copy", 1.0, 2e9, 4.0e9);
    k.set("local_bytes", 2e9, "B").set("lsu_active", 8).set("fma_active", 2).set("alu_active", 3);
    k.set("fp64_active", 0).set("xu_active", 0).set("l1_bytes", 4e9, "B");
    no_shared_waits(k);
    const Diagnosis d = k.diagnose(folder.load());
    const Finding* f = finding(d, "local_memory");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(d.steps.size(), 5U);
    EXPECT_EQ(f->verdict, "2 GB of spills");
    // The L2 cache bounds what is left of DRAM's half.
    EXPECT_GT(f->gain.value(), 1.5);
    EXPECT_LE(f->gain.value(), 2.0);
}

TEST(Rules, FaultsNameFileLineAndField) {
    const auto fault = [](const std::string& text) { return Folder("rules/x.json", text).error(); };
    EXPECT_TRUE(
        holds(fault("{\n\"id\": \"tensor_cores\",\n\"treshold\": 3}"), "rules/x.json:3: field 'treshold'"));
    EXPECT_TRUE(
        holds(fault("{\n\"id\": \"tensor_cores\",\n\"threshold\": \"3\"}"), "x.json:3: field 'threshold'"));
    EXPECT_TRUE(holds(fault("{\n\"id\": \"tensor_cores\",\n\"fails\": \"1 +\"}"), "x.json:3: field 'fails'"));
    EXPECT_TRUE(holds(fault("{\n\"id\": \"tensor_cores\",\n\"op\": \"=>\"}"), "x.json:3: field 'op'"));
    EXPECT_TRUE(
        holds(fault("{\n\"id\": \"tensor_cores\",\n\"advice\": \"a {b\"}"), "x.json:3: field 'advice'"));
    EXPECT_TRUE(
        holds(fault("{\n\"id\": \"tensor_cores\",\n\"advice\": \"a {b:7d}\"}"), "x.json:3: field 'advice'"));
    EXPECT_TRUE(holds(fault("{\n\"id\": \"tensor_cores\",\n\"step\": 7}"), "x.json:3: field 'step'"));
    EXPECT_TRUE(
        holds(fault("{\n\"id\": \"tensor_cores\",\n\"min_gain\": 0.5}"), "x.json:3: field 'min_gain'"));
    EXPECT_TRUE(holds(fault("{\n\"id\": \"tensor_cores\",\n\"gain\": {\"assumes\": \"\"}}"),
                      "x.json:3: field 'gain'"));
    EXPECT_TRUE(holds(fault("{\"step\": 1}"), "field 'id'"));
    EXPECT_TRUE(holds(fault("{\"id\": \"new_one\"}"), "rule 'new_one': field 'title' is missing"));
    EXPECT_TRUE(holds(fault("{\"id\": \"tensor_starved\", \"leads\": true}"), "step 1 has 2 leading rules"));
}

TEST(Rules, ModelFaultsNameTheField) {
    const auto fault = [](const std::string& text) { return Folder("model/bounds.json", text).error(); };
    EXPECT_TRUE(holds(fault("{\"resource\": []}"), "field 'resource'"));
    EXPECT_TRUE(holds(fault("{\n\"resources\": [{\"id\": \"dram\",\n\"title\": \"D\", \"kind\": \"disk\"}]}"),
                      "bounds.json:3: field 'resources[0].kind'"));
}

TEST(Rules, ModelConstantsCanBeChanged) {
    const Folder folder("model/bounds.json",
                        R"({"constants": {"too_small_ns": {"value": 1e8, "source": "mine"}}})");
    EXPECT_EQ(hungry().diagnose(folder.load()).status, "too_small");
}

// The metric ids of the catalogue that comes with kprof.
std::set<std::string> metric_ids() {
    const Catalogue catalogue = Catalogue::load(store(), "nvidia", "GH100");
    return {catalogue.ids().begin(), catalogue.ids().end()};
}

TEST(Lint, ShippedRulesAreClean) {
    const std::vector<std::string> faults = lint(rules(), metric_ids());
    for (const std::string& f : faults) ADD_FAILURE() << f;
}

TEST(Lint, MetricsUsedAreMetrics) {
    const std::set<std::string> used = rules().metrics_used();
    for (const char* m :
         {"time", "tensor_active", "lsu_active", "stall_barrier", "excess_sectors", "flops"}) {
        EXPECT_EQ(used.count(m), 1U) << m;
    }
    const std::set<std::string> ids = metric_ids();
    for (const std::string& m : used) EXPECT_EQ(ids.count(m), 1U) << m;
}

TEST(Lint, FindsMissingSources) {
    const std::set<std::string> ids = metric_ids();
    const auto faults = [&ids](const std::string& path, const std::string& text) {
        std::string all;
        for (const std::string& f : lint(Folder(path, text).load(), ids)) all += f + "\n";
        return all;
    };
    EXPECT_TRUE(holds(faults("rules/x.json", R"({"id": "barriers", "source": " "})"),
                      "rule 'barriers' has no source"));
    EXPECT_TRUE(holds(faults("model/bounds.json", R"({"constants": {"busy": {"value": 0.8, "source": ""}}})"),
                      "constant 'busy' has no source"));
}

TEST(Text, FallsBackToAVariantWhoseFieldsAreThere) {
    const JsonDocument document(R"(["{a:x} of {b}", {"if": "a > 5", "text": "many {a:1} {{}}"}, "few"])",
                                "t.json");
    const Text text = Text::read(document.root());
    const MetricSet none;
    Values v(none);
    EXPECT_EQ(text.render(v), "few");
    v.set("a", 7.25);
    EXPECT_EQ(text.render(v), "many 7.2 {}");
    v.set("b", 2e9, "B");
    EXPECT_EQ(text.render(v), "7.2× of 2 GB");
    v.set("a", 41.4);
    EXPECT_EQ(text.render(v), "41× of 2 GB");
}

TEST(Text, NeverPrintsWhatIsNotFinite) {
    const MetricSet none;
    Values v(none);
    v.set("a", std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(v.number("a"));
}

}  // namespace
}  // namespace kprof::test
