#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/profile_json.hpp"
#include "support.hpp"

namespace kprof {
namespace {

using namespace test;

TEST(Json, HasTheNamesThatScriptsRelyOn) {
    const Json j = report_json({{naive_gemm()}, {"run", "gemm"}});
    EXPECT_EQ(j.at("schema_version"), "1.0");
    EXPECT_EQ(j.at("kprof").at("command"), Json({"run", "gemm"}));
    EXPECT_FALSE(j.at("kprof").at("version").get<std::string>().empty());
    EXPECT_EQ(j.at("machine").at("id"), "h200");
    EXPECT_EQ(j.at("machine").at("ceilings").at(0).at("level"), "dram");
    EXPECT_EQ(j.at("machine").at("ceilings").at(1).at("precision"), "fp32");
    const Json& p = j.at("profiles").at(0);
    EXPECT_EQ(p.at("kernel").at("family"), "gemm");
    EXPECT_EQ(p.at("kernel").at("shape").at("k"), 4096);
    EXPECT_DOUBLE_EQ(p.at("launch").at("waves"), 62.06);
    EXPECT_EQ(p.at("launch").at("occupancy").at("limiters"), Json({"warps"}));
    EXPECT_EQ(p.at("provenance").at("gpu"), "NVIDIA H200");
    EXPECT_DOUBLE_EQ(p.at("counters").at("dram__bytes_read.sum"), 8.2e9);
    EXPECT_EQ(p.at("metrics").at("tensor_active").at("status"), "ok");
    EXPECT_EQ(p.at("work").at("origin"), "model");
    EXPECT_EQ(p.at("verification").at("status"), "ok");
    EXPECT_EQ(p.at("roofline").at(0).at("machine"), "h200");
    EXPECT_EQ(p.at("roofline").at(0).at("bound"), "compute");
    const Json& d = p.at("diagnosis");
    EXPECT_EQ(d.at("rule"), "tensor_cores");
    EXPECT_TRUE(d.at("at_limit").is_null());
    EXPECT_EQ(d.at("steps").size(), 5U);
    EXPECT_EQ(d.at("steps").at(3).at("state"), "not_applicable");
    EXPECT_TRUE(d.at("steps").at(3).at("value").is_null());
    EXPECT_EQ(d.at("findings").at(0).at("evidence").at(0).at("op"), "<");
    EXPECT_TRUE(d.at("findings").at(1).at("gain").is_null());
    EXPECT_DOUBLE_EQ(d.at("bound_model").at(0).at("time_ns"), 1.7e6);
    EXPECT_EQ(d.at("bound_model").at(1).at("reason"), "not collected");
}

TEST(Json, MissingIsNullWithStatusAndReasonNeverNan) {
    Analysed a = naive_gemm();
    a.metrics.insert_or_assign("x", Measurement::missing("x", "B", Status::unsupported, "no such counter"));
    put(a, "y", std::numeric_limits<double>::quiet_NaN(), "B");
    a.placement.points[0].fraction = std::numeric_limits<double>::infinity();
    const Json j = report_json({{a}, {}});
    const Json& metrics = j.at("profiles").at(0).at("metrics");
    EXPECT_TRUE(metrics.at("x").at("value").is_null());
    EXPECT_EQ(metrics.at("x").at("status"), "unsupported");
    EXPECT_EQ(metrics.at("x").at("reason"), "no such counter");
    EXPECT_EQ(metrics.at("y").at("status"), "failed");
    EXPECT_TRUE(metrics.at("y").at("value").is_null());
    EXPECT_TRUE(j.at("profiles").at(0).at("roofline").at(0).at("fraction").is_null());
}

TEST(Json, SeveralMachinesAreListed) {
    Analysed other = naive_gemm();
    other.machine->id = "h100";
    const Json j = report_json({{naive_gemm(), naive_gemm(), other}, {}});
    EXPECT_EQ(j.at("machine").at("id"), "h200");
    ASSERT_EQ(j.at("machines").size(), 2U);
    EXPECT_EQ(j.at("machines").at(1).at("id"), "h100");
    EXPECT_EQ(j.at("profiles").at(2).at("machine"), "h100");
    EXPECT_FALSE(report_json({{naive_gemm()}, {}}).contains("machines"));
}

TEST(Json, WithoutMachineWorkOrOccupancyTheKeysAreStillThere) {
    Analysed a = naive_gemm();
    a.machine.reset();
    a.occupancy.reset();
    a.profile.work.reset();
    const Json j = report_json({{a}, {}});
    EXPECT_TRUE(j.at("machine").is_null());
    EXPECT_TRUE(j.at("profiles").at(0).at("work").is_null());
    EXPECT_FALSE(j.at("profiles").at(0).at("launch").contains("waves"));
}

TEST(Json, AReportIsReadableAsProfiles) {
    Analysed foreign = naive_gemm();
    foreign.profile.work.reset();
    foreign.profile.kernel = {"some_kernel", "", "", "", "", "", {}};
    const Report r{{naive_gemm(), foreign}, {"run"}};
    const std::vector<KernelProfile> back = read_profiles(report_json(r).dump(), "report.json");
    ASSERT_EQ(back.size(), 2U);
    EXPECT_EQ(back[0].kernel.shape, r.kernels[0].profile.kernel.shape);
    EXPECT_DOUBLE_EQ(back[0].time.value, 22.93e6);
    EXPECT_DOUBLE_EQ(back[0].counters.at("dram__bytes_read.sum").value, 8.2e9);
    ASSERT_TRUE(back[0].work.has_value());
    EXPECT_DOUBLE_EQ(back[0].work->flops, 1.374e11);
    EXPECT_EQ(back[0].verification.status, "ok");
    EXPECT_EQ(back[0].provenance.device, r.kernels[0].profile.provenance.device);
    EXPECT_FALSE(back[1].work.has_value());
    EXPECT_EQ(back[1].kernel.name, "some_kernel");
}

TEST(Json, AThousandKernelsAreAllThere) {
    Report r;
    for (int i = 0; i < 1000; ++i) r.kernels.push_back(naive_gemm());
    EXPECT_EQ(report_json(r).at("profiles").size(), 1000U);
}

TEST(Json, ForeignNamesAreSafe) {
    Analysed a = naive_gemm();
    a.profile.kernel.name = "bad \xff name";
    a.diagnosis.verdict = "bad \xff verdict";
    EXPECT_NO_THROW((void)report_json({{a}, {"\xff"}}).dump());
}

// The two schemas share their definitions; a change of one must not be forgotten in the other.
TEST(Schema, TheDefinitionsOfAProfileAreTheSameInBoth) {
    const Json profile = parse_json(store().text("schema/profile.schema.json"), "profile.schema.json");
    const Json report = parse_json(store().text("schema/report.schema.json"), "report.schema.json");
    ASSERT_GE(profile.at("$defs").size(), 8U);
    for (const auto& [name, definition] : profile.at("$defs").items()) {
        EXPECT_EQ(definition, report.at("$defs").at(name)) << name;
    }
}

// Closed objects of the schema know every key that is written (tests/cli validates whole reports).
TEST(Schema, EveryKeyThatIsWrittenIsKnown) {
    const Json defs = parse_json(store().text("schema/report.schema.json"), "report.schema.json").at("$defs");
    const Json p = report_json({{naive_gemm()}, {}}).at("profiles").at(0);
    const auto check = [&](const Json& object, const char* definition) {
        const Json& def = defs.at(definition);
        for (const auto& [key, value] : object.items())
            EXPECT_TRUE(def.at("properties").contains(key)) << definition << "." << key;
        for (const Json& key : def.at("required"))
            EXPECT_TRUE(object.contains(key.get<std::string>())) << definition << "." << key;
    };
    check(p.at("metrics").at("tensor_active"), "measurement");
    check(p.at("roofline").at(0), "point");
    check(p.at("diagnosis"), "diagnosis");
    check(p.at("diagnosis").at("steps").at(0), "step");
    check(p.at("diagnosis").at("findings").at(0), "finding");
    check(p.at("diagnosis").at("bound_model").at(1), "resource");
    check(p.at("launch").at("occupancy"), "occupancy");
    check(p.at("work"), "work");
    check(p.at("provenance"), "provenance");
}

}  // namespace
}  // namespace kprof
