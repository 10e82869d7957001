// What the reader of profile files accepts, ignores and rejects.
#include "core/profile_json.hpp"
#include "core/strings.hpp"
#include "support.hpp"

namespace kprof {
namespace {

using test::error_of;
using test::hints;
using test::says;

// A profile with one member replaced or added: {"kernel": {"name": "k"}, <member>} from line 3 on.
std::string with(const std::string& member) {
    return "{\"schema_version\": \"1.0\",\n \"profiles\": [\n{\"kernel\": {\"name\": \"k\"},\n" + member +
           "}]}";
}

TEST(ProfileRead, FieldsOfANewerVersionAreIgnored) {
    const std::string text = R"({"schema_version": "1.9", "later": {}, "profiles": [{
        "kernel": {"name": "k", "later": [1]}, "launch": {"waves": 62.06, "later": null},
        "provenance": {"kind": "live", "gpu": "NVIDIA H200", "device": {"later": 1}}, "diagnosis": {"at_limit": null},
        "time": {"value": 5, "later": 1}, "counters": {"a": {"value": 7, "later": 1}}, "metrics": {}}]})";
    const KernelProfile p = read_profiles(text, "f").at(0);
    EXPECT_EQ(p.time.get(), 5.0);
    EXPECT_EQ(p.time.origin, Origin::timer);
    EXPECT_EQ(p.counters.at("a").get(), 7.0);
    EXPECT_EQ(p.provenance.device.name, "NVIDIA H200");
    EXPECT_FALSE(p.launch.known());
}

TEST(ProfileRead, AZeroTimeIsNoTime) {
    const KernelProfile p = read_profiles(with(R"("time": {"value": 0})"), "f").at(0);
    EXPECT_EQ(p.time.status, Status::failed);
    EXPECT_TRUE(contains(p.time.reason, "resolution"));
}

TEST(ProfileRead, WrongValuesNameFileLineAndField) {
    struct Row {
        const char *member, *field, *says;
    };
    const std::vector<Row> rows{
        {R"("time": {"value": -1})", "profiles[0].time.value", "must not be negative"},
        {R"("time": {"value": "NaN"})", "profiles[0].time.value", "must be a number, is string 'NaN'"},
        {R"("time": {"value": null})", "profiles[0].time.value", "must be a number, is null"},
        {R"("time": {"status": "ok"})", "profiles[0].time.value", "is missing"},
        {R"("time": {"value": 1, "unit": "us"})", "profiles[0].time.unit", "must be 'ns'"},
        {R"("time": {"value": 1, "status": "unsuported"})", "profiles[0].time.status",
         "did you mean 'unsupported'"},
        {R"("time": {"value": 1, "origin": 3})", "profiles[0].time.origin", "must be a string"},
        {R"("time": {"value": 1, "spread": -0.1})", "profiles[0].time.spread", "must not be negative"},
        {R"("time": 5)", "profiles[0].time", "must be an object"},
        {R"("counters": [1])", "profiles[0].counters", "must be an object"},
        {R"("counters": {"a.sum": "8"})", "profiles[0].counters.a.sum", "must be an object, is string"},
        {R"("counters": {"a.sum": {"status": "ok"}})", "profiles[0].counters.a.sum.value", "is missing"},
        {R"("counters": {"a.sum": {"status": "gone"}})", "profiles[0].counters.a.sum.status",
         "'gone' is none of"},
        {R"("launch": {"grid": [1, 2]})", "profiles[0].launch.grid", "three elements"},
        {R"("launch": {"grid": [1, 2, 0]})", "profiles[0].launch.grid[2]", "must be from 1 to 65536, is 0"},
        {R"("launch": {"block": [1, 2, 5e9]})", "profiles[0].launch.block[2]", "must be from 1"},
        {R"("launch": {"block": [1, 2, 1.5]})", "profiles[0].launch.block[2]", "whole number"},
        {R"("launch": {"registers": -1})", "profiles[0].launch.registers", "must be from 0"},
        {R"("launch": {"launches": 0})", "profiles[0].launch.launches", "must be from 1"},
        {R"("provenance": {"kind": "life"})", "profiles[0].provenance.kind", "did you mean 'live'"},
        {R"("provenance": {"passes": 1e10})", "profiles[0].provenance.passes", "must be from 0"},
        {R"("provenance": {"stages": ["a", 1]})", "profiles[0].provenance.stages[1]", "must be a string"},
        {R"("provenance": {"device": {"sm_count": "132"}})", "profiles[0].provenance.device.sm_count",
         "whole number"},
        {R"("provenance": {"device": {"clock_max_mhz": -1}})", "profiles[0].provenance.device.clock_max_mhz",
         "must not be negative"},
        {R"("work": {"flops": -1})", "profiles[0].work.flops", "must not be negative"},
        {R"("work": {"matrix_product": 1})", "profiles[0].work.matrix_product", "true or false"},
        {R"("work": {"origin": "guess"})", "profiles[0].work.origin", "model, annotation, bound"},
        {R"("verification": {"status": "fine"})", "profiles[0].verification.status", "ok, wrong, skipped"},
        {R"("warnings": "w")", "profiles[0].warnings", "must be an array"},
        {R"("failure": false)", "profiles[0].failure", "must be a string"},
    };
    for (const Row& row : rows) {
        const Error e = error_of([&] { read_profiles(with(row.member), "p.json"); });
        EXPECT_TRUE(std::string(e.what()).starts_with("p.json:4: field '" + std::string(row.field) + "': "))
            << e.what();
        EXPECT_TRUE(says(e, row.says));
        EXPECT_EQ(e.code(), ExitCode::usage);
    }
}

TEST(ProfileRead, ImpossibleLaunchesAreRefused) {
    struct Row {
        const char *member, *field, *says;
    };
    const std::vector<Row> rows{
        {R"({"block": [1025, 1, 1]})", "launch.block[0]", "must be from 1 to 1024, is 1025"},
        {R"({"block": [2e9, 1, 1]})", "launch.block[0]", "is 2000000000"},
        {R"({"block": [32, 32, 2]})", "launch.block", "has 2048 threads, no GPU launches more than 1024"},
        {R"({"grid": [4294967295, 1, 1]})", "launch.grid[0]", "must be from 1 to 2147483647"},
        {R"({"grid": [1, 1, 70000]})", "launch.grid[2]", "must be from 1 to 65536"},
        {R"({"cluster": [16, 16, 1]})", "launch.cluster", "has 256 blocks"},
        {R"({"registers": 1e9})", "launch.registers", "must be from 0 to 512"},
        {R"({"smem_dynamic": 1e12})", "launch.smem_dynamic", "must be from 0 to 4194304"},
        {R"({"smem_static": 1e12})", "launch.smem_static", "must be from 0 to 4194304"},
        {R"({"local_bytes": 1e15})", "launch.local_bytes", "must be from 0 to 1073741824"},
        {R"({"driver_blocks_per_sm": 5000})", "launch.driver_blocks_per_sm", "must be from 0 to 1024"},
    };
    for (const Row& row : rows) {
        const Error e =
            error_of([&] { read_profiles(with(R"("launch": )" + std::string(row.member)), "p.json"); });
        EXPECT_TRUE(says(e, row.field));
        EXPECT_TRUE(says(e, row.says));
    }
    const std::string largest =
        R"("launch": {"grid": [2147483647, 65535, 65535], "block": [1024, 1, 1], "registers": 255,
                      "smem_dynamic": 232448, "cluster": [16, 1, 1]})";
    const Launch l = read_profiles(with(largest), "f").at(0).launch;
    EXPECT_EQ(l.blocks(), std::int64_t{2147483647} * 65535 * 65535);  // no overflow
}

TEST(ProfileRead, ATimeBelowAClockCycleIsNoTime) {
    const auto time = [](const std::string& t) {
        return read_profiles(with(R"("time": )" + t), "f").at(0).time;
    };
    for (const char* value : {"1e-300", "0.05"}) {
        const Measurement m = time(R"({"value": )" + std::string(value) + "}");
        EXPECT_EQ(m.status, Status::failed);
        EXPECT_TRUE(contains(m.reason, "resolution")) << m.reason;
    }
    EXPECT_TRUE(time(R"({"value": 0.5})").ok());
    EXPECT_TRUE(time(R"({"value": 0.00167, "origin": "model"})").ok());  // computed, not measured
}

TEST(ProfileRead, WrongKernelsNameTheField) {
    struct Row {
        const char *kernel, *says;
    };
    const std::vector<Row> rows{
        {R"({})", "field 'profiles[0].kernel.name': is missing"},
        {R"({"name": ""})", "must not be empty"},
        {R"({"name": 1})", "must be a string"},
        {R"({"name": "k", "shape": {"m": 0}})", "field 'profiles[0].kernel.shape.m': must be from 1"},
        {R"({"name": "k", "shape": {"m": 1, "n": 2}, "extents": ["m"]})", "kernel.extents"},
        {R"({"name": "k", "shape": {"m": 1, "n": 2}, "extents": ["m", "m"]})", "must name each extent"},
        {R"([])", "must be an object"},
    };
    for (const Row& row : rows) {
        const std::string text =
            std::string(R"({"schema_version":"1.0","profiles":[{"kernel":)") + row.kernel + "}]}";
        EXPECT_TRUE(says(error_of([&] { read_profiles(text, "p.json"); }), row.says));
    }
}

TEST(ProfileRead, FilesThatAreNoProfiles) {
    struct Row {
        const char *text, *says, *hint;
    };
    const std::vector<Row> rows{
        {"", "p.json:1:1: the file is empty", ""},
        {"\"ID\",\"Kernel Name\"\n", "not valid JSON", ""},
        {"[]", "must be an object", ""},
        {"{\"a\": 1}", "no 'schema_version'", "--profile FILE"},
        {R"({"schema_version": "1.0"})", "field 'profiles': is missing", ""},
        {R"({"schema_version": "1.0", "profiles": {}})", "field 'profiles': must be an array", ""},
        {R"({"schema_version": "1.0", "profiles": [1]})", "field 'profiles[0]': must be an object", ""},
        {R"({"schema_version": 1, "profiles": []})", "must be a string", ""},
        {R"({"schema_version": "new", "profiles": []})", "'new' is not a version", ""},
        {R"({"schema_version": "2.0", "profiles": []})", "schema 2.0 is not known to kprof", "schema 2.0"},
        {R"({"schema_version": "10.1", "kprof": {"version": "9.8.7"}, "profiles": []})", "schema 10.1",
         "kprof 9.8.7 wrote it"},
        {R"({"schema_version": "0.9", "profiles": []})", "schema 0.9", ""},
    };
    for (const Row& row : rows) {
        const Error e = error_of([&] { read_profiles(row.text, "p.json"); });
        EXPECT_TRUE(says(e, row.says));
        EXPECT_TRUE(hints(e, row.hint));
        EXPECT_EQ(e.code(), ExitCode::usage);
    }
}

}  // namespace
}  // namespace kprof
