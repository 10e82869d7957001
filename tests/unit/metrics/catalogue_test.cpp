#include "metrics/catalogue.hpp"

#include "test_store.hpp"

namespace kprof {
namespace {

using Names = std::set<std::string>;

TEST(Catalogue, ExtendsKeepsWhatIsNotGiven) {
    const TestStore store;
    store.write("tbase", "{\"metrics\": [" + metric("a", R"("formula": "x__a.sum", "max": 5)") + "," +
                             metric("b", R"("formula": "2 * a")") + "]}");
    store.write("tchip", R"({"extends": "tbase", "chips": ["TT1"], "metrics": [
        {"id": "a", "title": "new", "alternatives": [{"formula": "x__b.sum"}, {"formula": "x__a.sum", "because": "older"}]}]})");
    const Catalogue c = store.load("TT1");
    EXPECT_EQ(c.ids(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(c.note(), "");
    const MetricDef* a = c.find("a");
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->title, "new");
    EXPECT_EQ(a->description, "d");
    EXPECT_EQ(a->max, 5);
    ASSERT_EQ(a->alternatives.size(), 2U);
    EXPECT_EQ(a->alternatives[0].formula.text(), "x__b.sum");
    EXPECT_EQ(a->alternatives[1].because, "older");
    EXPECT_EQ(c.find("nothing"), nullptr);
}

TEST(Catalogue, AChipMaySayThatItCannot) {
    const TestStore store;
    store.write("tbase", "{\"metrics\": [" + metric("a", R"("formula": "x__a.sum")") + "]}");
    store.write(
        "tchip",
        R"({"extends": "tbase", "chips": ["TT1"], "metrics": [{"id": "a", "unsupported": "no unit"}]})");
    const Catalogue c = store.load("TT1");
    EXPECT_EQ(c.find("a")->unsupported_because, "no unit");
    EXPECT_TRUE(c.find("a")->alternatives.empty());
    EXPECT_TRUE(c.all_counters_for({"a"}).empty());
}

TEST(Catalogue, AUserFileAddsAndOverridesById) {
    const TestStore store;
    store.write("gh100", "{\"metrics\": [{\"id\": \"dram_bytes\", \"title\": \"mine\"}," +
                             metric("per_block", R"("formula": "dram_bytes / blocks")") + "]}");
    const Catalogue c = store.load("GH100");
    EXPECT_EQ(c.find("dram_bytes")->title, "mine");
    EXPECT_EQ(c.find("dram_bytes")->unit, "B");
    EXPECT_EQ(c.counters_for({"per_block"}), (Names{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_NE(c.find("stall_gmma"), nullptr);
}

TEST(Catalogue, UnknownChipsGetTheVendorsPartAndSaySo) {
    const TestStore store;
    const ConfigStore configs = store.open();
    const Catalogue nvidia = Catalogue::load(configs, "NVIDIA", "XX999");
    EXPECT_NE(nvidia.note().find("XX999"), std::string::npos);
    EXPECT_NE(nvidia.note().find("nvidia"), std::string::npos);
    EXPECT_NE(nvidia.find("tensor_active"), nullptr);
    const Catalogue other = Catalogue::load(configs, "someone", "");
    EXPECT_NE(other.note().find("common"), std::string::npos);
    EXPECT_EQ(other.find("tensor_active"), nullptr);
    EXPECT_EQ(other.find("dram_bytes")->alternatives.size(), 0U);
}

TEST(Catalogue, CountersOfTheMarkedAlternativeElseOfTheFirst) {
    const TestStore store;
    store.write(
        "tchip",
        file(metric("dear", R"("formula": "x__dear.sum")") + "," + metric("a", R"("alternatives": [
        {"formula": "dear / x__n.sum", "when": "x__w.sum > 1"},
        {"formula": "x__cheap.sum", "when": "x__w.sum <= 1", "because": "bound", "collect": true}])") +
             "," +
             metric(
                 "b",
                 R"("alternatives": [{"formula": "a + time_ns"}, {"formula": "x__z.sum", "because": "z"}])") +
             "," +
             metric("u",
                    R"("formula": "x__q.sum", "undefined": [{"formula": "x__r.sum == 0", "because": "none"}],
                                            "sane": [{"formula": "u > x__s.sum", "because": "odd"}])")));
    const Catalogue c = store.load("TT1");
    EXPECT_EQ(c.counters_for({"a"}), (Names{"x__cheap.sum", "x__w.sum"}));
    EXPECT_EQ(c.counters_for({"b"}), (Names{"x__cheap.sum", "x__w.sum"}));
    EXPECT_EQ(c.all_counters_for({"b"}),
              (Names{"x__cheap.sum", "x__dear.sum", "x__n.sum", "x__w.sum", "x__z.sum"}));
    EXPECT_EQ(c.counters_for({"u"}), (Names{"x__q.sum", "x__r.sum"}));
    EXPECT_TRUE(c.counters_for({}).empty());
}

TEST(Catalogue, UnknownIdsAreAnsweredWithTheNearest) {
    const TestStore store;
    const Catalogue c = store.load("GH100");
    try {
        c.counters_for({"tensor_activ"});
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::usage);
        EXPECT_NE(std::string(e.what()).find("tensor_active"), std::string::npos) << e.what();
    }
}

TEST(CatalogueErrors, NameFileLineAndField) {
    const TestStore store;
    store.write("tchip",
                file(metric("a", R"("formula": "1")") + ",\n" + metric("b", R"("formula": "aa + 1")")));
    const std::string unknown = store.error("TT1");
    EXPECT_NE(unknown.find("tchip.json:4"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("formula"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("'aa'"), std::string::npos) << unknown;

    store.write("tchip", file(metric("a", R"("formula": "1 +")")));
    EXPECT_NE(store.error("TT1").find("tchip.json:3"), std::string::npos) << store.error("TT1");
    EXPECT_NE(store.error("TT1").find("at character"), std::string::npos) << store.error("TT1");
}

TEST(CatalogueErrors, NamesInConditionsAreCheckedToo) {
    const TestStore store;
    store.write("tchip", file(metric("a", R"("alternatives": [{"formula": "1", "when": "nobody > 1"}])")));
    EXPECT_NE(store.error("TT1").find("nobody"), std::string::npos);
    store.write("tchip",
                file(metric("a", R"("formula": "1", "sane": [{"formula": "nobody", "because": "x"}])")));
    EXPECT_NE(store.error("TT1").find("nobody"), std::string::npos);
    store.write("tchip",
                file(metric("a", R"("formula": "1", "undefined": [{"formula": "nobody", "because": "x"}])")));
    EXPECT_NE(store.error("TT1").find("nobody"), std::string::npos);
}

TEST(CatalogueErrors, Cycles) {
    const TestStore store;
    store.write("tchip", file(metric("a", R"("formula": "b")") + "," + metric("b", R"("formula": "c + 1")") +
                              "," + metric("c", R"("formula": "a")")));
    EXPECT_NE(store.error("TT1").find("a -> b -> c -> a"), std::string::npos) << store.error("TT1");
    store.write("tchip", file(metric("a", R"("formula": "a + 1")")));
    EXPECT_NE(store.error("TT1").find("itself"), std::string::npos) << store.error("TT1");
    // A metric may bear the name of the fact that it shows, and a check may look at the value itself.
    store.write(
        "tchip",
        file(metric("waves", R"("formula": "waves", "sane": [{"formula": "waves > 0", "because": "x"}])")));
    EXPECT_EQ(store.error("TT1"), "");
    store.write("tchip", R"({"extends": "tother", "chips": ["TT1"]})");
    store.write("tother", R"({"extends": "tchip"})");
    EXPECT_NE(store.error("TT1").find("cycle"), std::string::npos) << store.error("TT1");
}

TEST(CatalogueErrors, WhatAnEntryNeeds) {
    const TestStore store;
    store.write(
        "tchip",
        file(R"({"id": "a", "title": "t", "unit": "", "group": "g", "description": "d", "formula": "1"})"));
    EXPECT_NE(store.error("TT1").find("'source'"), std::string::npos) << store.error("TT1");
    store.write("tchip", file(metric("a", R"("max": 3)")));
    EXPECT_NE(store.error("TT1").find("formula"), std::string::npos) << store.error("TT1");
    store.write("tchip", file(metric("a", R"("formulae": "1")")));
    EXPECT_NE(store.error("TT1").find("formulae"), std::string::npos) << store.error("TT1");
    store.write("tchip", file(metric("a", R"("alternatives": [{"formula": "1"}, {"formula": "2"}])")));
    EXPECT_NE(store.error("TT1").find("because"), std::string::npos) << store.error("TT1");
    store.write("tchip", file(metric("a", R"("formula": "1")") + "," + metric("a", R"("formula": "2")")));
    EXPECT_NE(store.error("TT1").find("twice"), std::string::npos) << store.error("TT1");
    store.write("tchip", file(metric("a__b", R"("formula": "1")")));
    EXPECT_NE(store.error("TT1").find("underscore"), std::string::npos) << store.error("TT1");
    store.write("tchip", R"({"extends": "nowhere_at_all", "chips": ["TT1"]})");
    EXPECT_NE(store.error("TT1").find("nowhere_at_all"), std::string::npos) << store.error("TT1");
}

Measurement counter(double value) {
    return Measurement::of("", value, "", Origin::counter);
}

TEST(NextCounters, EscalatesOnlyWhereTheCheapOnesDidNotDo) {
    const TestStore store;
    const Catalogue c = store.load("GH100");
    KernelProfile p;
    MetricSet none;
    const Names cheap = c.counters_for({"excess_sectors"});
    EXPECT_EQ(c.next_counters({"excess_sectors"}, p, none), cheap);
    for (const auto& name : cheap) p.counters[name] = counter(1);
    const Names widths = c.next_counters({"excess_sectors"}, p, none);
    EXPECT_EQ(widths.count("smsp__sass_data_bytes_mem_global_op_ld.sum"), 1U);
    for (const auto& name : widths) EXPECT_EQ(cheap.count(name), 0U) << name;
    MetricSet known;
    known["excess_sectors"] = counter(0);
    EXPECT_TRUE(c.next_counters({"excess_sectors"}, p, known).empty());
    for (const auto& name : widths)
        p.counters[name] = Measurement::missing("", "", Status::unsupported, "no");
    EXPECT_TRUE(
        c.next_counters({"excess_sectors"}, p, none).count("smsp__sass_data_bytes_mem_global_op_ld.sum") ==
        0);
}

TEST(NextCounters, ReachThroughAnotherMetric) {
    const TestStore store;
    const Catalogue c = store.load("GH100");
    KernelProfile p;
    const MetricSet none;
    for (const auto& name : c.counters_for({"intensity_dram", "flops"})) p.counters[name] = counter(1);
    const Names next = c.next_counters({"intensity_dram"}, p, none);
    EXPECT_EQ(next.count("sm__ops_path_tensor_src_fp8_sparsity_off.sum"), 1U);
}

TEST(Facts, AreSortedForSearch) {
    EXPECT_TRUE(std::is_sorted(fact_names().begin(), fact_names().end()));
    EXPECT_TRUE(is_counter("dram__bytes.sum"));
    EXPECT_FALSE(is_counter("dram_bytes"));
}

}  // namespace
}  // namespace kprof
