// A linter of the shipped catalogues: what a person reads is there, and every raw counter exists on its chip.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/json.hpp"
#include "metrics/catalogue.hpp"

namespace kprof {
namespace {

Catalogue load(const std::string& chip) {
    return Catalogue::load(ConfigStore::embedded_only(), "nvidia", chip);
}

std::set<std::string> every_id(const Catalogue& c) {
    return {c.ids().begin(), c.ids().end()};
}

// "name passes" lines; '#' starts a comment.
std::map<std::string, int> read_counters(const std::string& file) {
    std::map<std::string, int> counters;
    std::ifstream in(std::string(KPROF_SOURCE_DIR) + "/tests/data/" + file);
    EXPECT_TRUE(in) << file;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string name;
        int passes = 1;
        words >> name >> passes;
        counters[name] = passes;
    }
    return counters;
}

std::set<std::string> stage(const std::string& name) {
    const JsonDocument document = ConfigStore::embedded_only().load("views/stages.json");
    const auto ids = document.root().at(name).strings();
    const std::set<std::string> unique(ids.begin(), ids.end());
    EXPECT_EQ(unique.size(), ids.size()) << name << " names a metric twice";
    return unique;
}

TEST(MetricConfigs, EntriesAreComplete) {
    const std::set<std::string> units = {"",   "ns", "B",  "B/s",    "FLOP",  "FLOP/s",  "FLOP/B",
                                         "OP", "%",  "Hz", "cycles", "warps", "threads", "sectors"};
    for (const char* chip : {"GH100", "GA100", "AD102", ""}) {
        const Catalogue c = load(chip);
        for (const auto& id : c.ids()) {
            const MetricDef& m = *c.find(id);
            for (const auto& text : {m.title, m.group, m.description, m.source})
                EXPECT_FALSE(text.empty()) << id;
            EXPECT_EQ(m.description.back(), '.') << id;
            EXPECT_EQ(units.count(m.unit), 1U) << id << " has the unit '" << m.unit << "'";
            EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos) << id;
            EXPECT_LE(m.clip.value_or(0), m.max.value_or(0)) << id;
            int marked = 0;
            for (const auto& a : m.alternatives) marked += a.collect ? 1 : 0;
            EXPECT_LE(marked, 1) << id;
        }
    }
}

TEST(MetricConfigs, EveryCounterExistsOnItsChip) {
    const std::vector<std::pair<std::string, std::string>> chips = {{"GH100", "gh100_counters.txt"},
                                                                    {"GA100", "ga100_counters.txt"}};
    for (const auto& [chip, file] : chips) {
        const auto known = read_counters(file);
        const Catalogue c = load(chip);
        const auto used = c.all_counters_for(every_id(c));
        for (const auto& name : used)
            EXPECT_EQ(known.count(name), 1U) << name << " is not in tests/data/" << file;
        for (const auto& [name, passes] : known) {
            EXPECT_GE(passes, 1) << name << " is rejected by CUPTI on " << chip;
            EXPECT_EQ(used.count(name), 1U) << name << " in tests/data/" << file << " is used by no metric";
        }
    }
}

TEST(MetricConfigs, TheFirstStageIsTheSetThatFitsInOnePass) {
    std::set<std::string> counted;
    for (const auto& [name, passes] : read_counters("gh100_first_stage.txt")) counted.insert(name);
    EXPECT_EQ(load("GH100").counters_for(stage("first")), counted)
        << "count the passes of the new set with CUPTI, then write it to tests/data/gh100_first_stage.txt";
}

TEST(MetricConfigs, StagesNameMetricsAndGrow) {
    const Catalogue c = load("GH100");
    const auto first = stage("first"), standard = stage("default"), full = stage("full");
    EXPECT_TRUE(std::includes(standard.begin(), standard.end(), first.begin(), first.end()));
    EXPECT_EQ(full, every_id(c));
    for (const auto& id : standard) EXPECT_NE(c.find(id), nullptr) << id;
}

TEST(MetricConfigs, CostlyCountersAreNotInTheDefaultStage) {
    for (const auto& name : load("GH100").counters_for(stage("default"))) {
        EXPECT_EQ(name.find("_mem_global_op_") != std::string::npos && name.find("sass") != std::string::npos,
                  false)
            << name;
    }
}

TEST(MetricConfigs, ChipsAgreeOnNamesAndUnits) {
    const Catalogue a = load("GH100"), b = load("GA100");
    EXPECT_EQ(every_id(a), every_id(b));
    for (const auto& id : a.ids()) EXPECT_EQ(a.find(id)->unit, b.find(id)->unit) << id;
}

}  // namespace
}  // namespace kprof
