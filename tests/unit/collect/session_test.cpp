#include "collect/session.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support.hpp"

namespace kprof {
namespace {

using Names = std::set<std::string>;

// Gives every counter asked for the value 1, and remembers what was asked.
class FakeSource : public CounterSource {
  public:
    const char* kind() const override { return "live"; }
    KernelProfile begin(const KernelRequest& request, const CollectOptions&) override {
        KernelProfile p;
        p.kernel.family = request.family;
        p.time = Measurement::of("time", 1000, "ns", Origin::timer);
        p.failure = failure;
        return p;
    }
    void collect(KernelProfile& p, const Names& counters, const std::string& stage,
                 const CollectOptions&) override {
        asked.emplace_back(stage, counters);
        if (static_cast<int>(asked.size()) == fail_at)
            throw Error(fail_code, "the GPU fell off", "push it back");
        for (const std::string& name : counters) {
            p.counters[name] = unsupported.count(name) != 0
                                   ? Measurement::missing(name, "", Status::unsupported, "no such counter")
                                   : Measurement::of(name, 1, "", Origin::counter);
        }
    }
    std::vector<std::pair<std::string, Names>> asked;
    std::string failure;
    int fail_at = 0;
    ExitCode fail_code = ExitCode::environment;
    Names unsupported;
};

// Metric "m" needs the counter "m.sum".
Names counters_for(const KernelProfile&, const Names& metrics) {
    Names counters;
    for (const std::string& m : metrics) counters.insert(m + ".sum");
    return counters;
}

StagePlan plan(const std::string& forced = "") {
    return {forced, {"time", "dram"}, {"time", "dram", "l2"}, {"time", "dram", "l2", "stalls"}};
}

KernelProfile run(FakeSource& source, const StagePlan& p, const WantedMetrics& wanted,
                  const CollectOptions& options = {}) {
    return collect_staged(source, {"gemm", "naive", "fp32", {}}, p, options, wanted, counters_for);
}

Names none(const KernelProfile&) {
    return {};
}

TEST(Session, FirstStageOnlyWhenNothingMoreIsWanted) {
    FakeSource source;
    const KernelProfile p = run(source, plan(), none);
    ASSERT_EQ(source.asked.size(), 1U);
    EXPECT_EQ(source.asked[0].first, "first");
    EXPECT_EQ(source.asked[0].second, (Names{"time.sum", "dram.sum"}));
    EXPECT_TRUE(p.warnings.empty());
}

TEST(Session, FollowsWhatTheDiagnosisWants) {
    FakeSource source;
    const KernelProfile p = run(source, plan(), [](const KernelProfile& now) -> Names {
        if (now.counters.count("l2.sum") == 0) return {"l2"};
        if (now.counters.count("stalls.sum") == 0) return {"stalls", "l2"};
        return {};
    });
    ASSERT_EQ(source.asked.size(), 3U);
    EXPECT_EQ(source.asked[1].second, (Names{"l2.sum"}));
    EXPECT_EQ(source.asked[2].second, (Names{"stalls.sum"}));  // l2 is not asked for again
    EXPECT_EQ(p.counters.size(), 4U);
}

TEST(Session, AMetricWithoutValueIsNotAskedForTwice) {
    FakeSource source;
    source.unsupported = {"l2.sum"};
    const KernelProfile p = run(source, plan(), [](const KernelProfile&) { return Names{"l2"}; });
    ASSERT_EQ(source.asked.size(), 2U);
    EXPECT_EQ(p.counters.at("l2.sum").status, Status::unsupported);
}

TEST(Session, StopsAfterSixStages) {
    FakeSource source;
    int next = 0;
    run(source, plan(), [&](const KernelProfile&) { return Names{"m" + std::to_string(next++)}; });
    EXPECT_EQ(source.asked.size(), 6U);
}

TEST(Session, AFailingStageKeepsEarlierResults) {
    FakeSource source;
    source.fail_at = 2;
    const KernelProfile p = run(source, plan(), [](const KernelProfile&) { return Names{"l2"}; });
    EXPECT_EQ(source.asked.size(), 2U);
    EXPECT_TRUE(p.counters.at("dram.sum").ok());
    ASSERT_EQ(p.warnings.size(), 1U);
    EXPECT_NE(p.warnings[0].find("the GPU fell off"), std::string::npos);
    EXPECT_NE(p.warnings[0].find("push it back"), std::string::npos);
}

TEST(Session, NoCounterAtAllForWantOfPermissionIsAnError) {
    FakeSource source;
    source.fail_at = 1;
    try {
        run(source, plan(), none);
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::environment);
        EXPECT_EQ(e.hint(), "push it back");
    }
}

TEST(Session, OtherFailuresOfTheFirstStageKeepTheTime) {
    FakeSource source;
    source.fail_at = 1;
    source.fail_code = ExitCode::internal;
    const KernelProfile p = run(source, plan(), none);
    EXPECT_TRUE(p.time.ok());
    EXPECT_EQ(p.warnings.size(), 1U);
}

TEST(Session, ForcedStagesDoNotAskTheDiagnosis) {
    const auto forbidden = [](const KernelProfile&) -> Names {
        ADD_FAILURE() << "the diagnosis was asked";
        return {};
    };
    FakeSource quick;
    run(quick, plan("quick"), forbidden);
    ASSERT_EQ(quick.asked.size(), 1U);

    FakeSource full;
    run(full, plan("full"), forbidden);
    ASSERT_EQ(full.asked.size(), 2U);
    EXPECT_EQ(full.asked[0].first, "first");  // alone, so that it stays one pass
    EXPECT_EQ(full.asked[1].first, "full");
    EXPECT_EQ(full.asked[1].second, (Names{"l2.sum", "stalls.sum"}));
}

TEST(Session, ForcedSetWithAnEmptyFirstStageIsStillCollected) {
    FakeSource source;
    StagePlan p = plan("default");
    p.first.clear();
    run(source, p, none);
    ASSERT_EQ(source.asked.size(), 1U);
    EXPECT_EQ(source.asked[0].first, "default");
}

TEST(Session, CancelKeepsWhatThereIs) {
    FakeSource source;
    CollectOptions options;
    options.cancelled = [&] { return source.asked.size() == 1; };
    const KernelProfile p = run(
        source, plan(), [](const KernelProfile&) { return Names{"l2"}; }, options);
    EXPECT_EQ(source.asked.size(), 1U);
    EXPECT_TRUE(p.counters.at("dram.sum").ok());
    ASSERT_EQ(p.warnings.size(), 1U);
    EXPECT_NE(p.warnings[0].find("interrupted"), std::string::npos);
}

TEST(Session, AKernelThatFailedIsNotCounted) {
    FakeSource source;
    source.failure = "illegal address";
    const KernelProfile p = run(source, plan(), none);
    EXPECT_TRUE(source.asked.empty());
    EXPECT_EQ(p.failure, "illegal address");
}

TEST(LoadStages, ReadsTheThreeSets) {
    const ScratchFolder folder;
    folder.write("views/stages.json",
                 R"({"_why": "x", "first": ["a"], "default": ["a", "b"], "full": ["c"]})");
    const StagePlan p = load_stages(ConfigStore::open(folder.path), "full");
    EXPECT_EQ(p.forced, "full");
    EXPECT_EQ(p.first, (Names{"a"}));
    EXPECT_EQ(p.default_metrics, (Names{"a", "b"}));
    EXPECT_EQ(p.full, (Names{"c"}));
}

TEST(LoadStages, AnUnknownSetIsAUsageErrorWithTheNearestName) {
    try {
        load_stages(ConfigStore::embedded_only(), "quikc");
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::usage);
        EXPECT_NE(std::string(e.what()).find("'quick'"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace kprof
