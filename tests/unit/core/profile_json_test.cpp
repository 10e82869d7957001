#include "core/profile_json.hpp"

#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/strings.hpp"
#include "core/version.hpp"
#include "support.hpp"

namespace kprof {
namespace {

KernelProfile full_profile() {
    KernelProfile p;
    p.kernel.name = "gemm / \"naive\" \\ µ";
    p.kernel.mangled = "_Z4gemmPf";
    p.kernel.short_name = "gemm";
    p.kernel.family = "gemm";
    p.kernel.variant = "naive";
    p.kernel.dtype = "fp32";
    p.kernel.shape.extents = {{"m", 4096}, {"n", 1024}, {"k", 8192}};
    p.launch.grid = {128, 64, 2};
    p.launch.block = {32, 32, 1};
    p.launch.cluster = {2, 1, 1};
    p.launch.registers = 32;
    p.launch.smem_static = 0;  // known to be none: not the same as unknown
    p.launch.smem_dynamic = 49'152;
    p.launch.local_bytes = 8;
    p.launch.driver_blocks_per_sm = 2;
    p.launches = 3;
    Provenance& v = p.provenance;
    v.kind = "live";
    v.date = "2025-01-02T03:04:05Z";
    v.driver = "580.159.04";
    v.cuda = "13.0";
    v.cupti = "13.0.1";
    v.kprof = "0.1.0";
    v.passes = 4;
    v.repeats = 20;
    v.cache = "cold";
    v.clock_sm_mhz = 1980;
    v.clock_before_mhz = 1965;
    v.clock_after_mhz = 1950;
    v.power_w = 700.5;
    v.temperature_c = 61;
    v.throttle = "sw_power_cap";
    v.stages = {"first", "dram"};
    v.device = {"NVIDIA H200",   "GH100",    "nvidia", 9,       0,    132,    1980, 3201, 6144,
                150'754'820'096, 62'914'560, 233'472,  232'448, 1024, 65'536, 2048, 32,   32};
    p.time = Measurement::of("time", 22'930'000.5, "ns", Origin::timer);
    p.time.spread = 0.001;
    p.time.reason = "median of 20";
    p.counters["dram__bytes_read.sum"] = Measurement::of("dram__bytes_read.sum", 8.2e9, "", Origin::counter);
    p.counters["zero.sum"] = Measurement::of("zero.sum", 0, "", Origin::counter);
    p.counters["old.sum"] = Measurement::missing("old.sum", "", Status::unsupported, "not on \"GH100\"");
    p.work = Work{1.37e11, 2.0e8, "fp32", true, "model"};
    p.verification = {"ok", 1e-7, 1e-5, "against FP64"};
    p.warnings = {"clock fell", "second"};
    p.failure = "stopped";
    return p;
}

void expect_same(const Measurement& a, const Measurement& b) {
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.value, b.value) << a.id;
    EXPECT_EQ(a.unit, b.unit) << a.id;
    EXPECT_EQ(a.status, b.status) << a.id;
    EXPECT_EQ(a.origin, b.origin) << a.id;
    EXPECT_EQ(a.reason, b.reason) << a.id;
    EXPECT_EQ(a.spread, b.spread) << a.id;
}

void expect_same(const KernelProfile& a, const KernelProfile& b) {
    EXPECT_EQ(a.kernel.name, b.kernel.name);
    EXPECT_EQ(a.kernel.mangled, b.kernel.mangled);
    EXPECT_EQ(a.kernel.short_name, b.kernel.short_name);
    EXPECT_EQ(a.kernel.family, b.kernel.family);
    EXPECT_EQ(a.kernel.variant, b.kernel.variant);
    EXPECT_EQ(a.kernel.dtype, b.kernel.dtype);
    EXPECT_EQ(a.kernel.shape, b.kernel.shape);
    EXPECT_EQ(a.launch.grid, b.launch.grid);
    EXPECT_EQ(a.launch.block, b.launch.block);
    EXPECT_EQ(a.launch.cluster, b.launch.cluster);
    EXPECT_EQ(a.launch.registers, b.launch.registers);
    EXPECT_EQ(a.launch.smem_static, b.launch.smem_static);
    EXPECT_EQ(a.launch.smem_dynamic, b.launch.smem_dynamic);
    EXPECT_EQ(a.launch.local_bytes, b.launch.local_bytes);
    EXPECT_EQ(a.launch.driver_blocks_per_sm, b.launch.driver_blocks_per_sm);
    EXPECT_EQ(a.launches, b.launches);
    const Provenance &x = a.provenance, &y = b.provenance;
    EXPECT_EQ(join({x.kind, x.date, x.driver, x.cuda, x.cupti, x.kprof, x.cache, x.throttle}, "|"),
              join({y.kind, y.date, y.driver, y.cuda, y.cupti, y.kprof, y.cache, y.throttle}, "|"));
    EXPECT_EQ(x.device, y.device);
    EXPECT_EQ(x.passes, y.passes);
    EXPECT_EQ(x.repeats, y.repeats);
    EXPECT_EQ(x.clock_sm_mhz, y.clock_sm_mhz);
    EXPECT_EQ(x.clock_before_mhz, y.clock_before_mhz);
    EXPECT_EQ(x.clock_after_mhz, y.clock_after_mhz);
    EXPECT_EQ(x.power_w, y.power_w);
    EXPECT_EQ(x.temperature_c, y.temperature_c);
    EXPECT_EQ(x.stages, y.stages);
    expect_same(a.time, b.time);
    ASSERT_EQ(a.counters.size(), b.counters.size());
    for (const auto& [name, m] : a.counters) {
        ASSERT_TRUE(b.counters.contains(name)) << name;
        expect_same(m, b.counters.at(name));
    }
    ASSERT_EQ(a.work.has_value(), b.work.has_value());
    if (a.work) {
        EXPECT_EQ(a.work->flops, b.work->flops);
        EXPECT_EQ(a.work->min_bytes, b.work->min_bytes);
        EXPECT_EQ(a.work->precision, b.work->precision);
        EXPECT_EQ(a.work->matrix_product, b.work->matrix_product);
        EXPECT_EQ(a.work->origin, b.work->origin);
    }
    EXPECT_EQ(a.verification.status, b.verification.status);
    EXPECT_EQ(a.verification.error, b.verification.error);
    EXPECT_EQ(a.verification.tolerance, b.verification.tolerance);
    EXPECT_EQ(a.verification.detail, b.verification.detail);
    EXPECT_EQ(a.warnings, b.warnings);
    EXPECT_EQ(a.failure, b.failure);
}

KernelProfile round_trip(const KernelProfile& p) {
    const auto read = read_profiles(write_profiles({p}), "f.json");
    return read.at(0);
}

TEST(ProfileJson, AFullProfileComesBackWhole) {
    expect_same(full_profile(), round_trip(full_profile()));
}

TEST(ProfileJson, AMinimalProfileComesBackWhole) {
    KernelProfile p;
    p.kernel.name = p.kernel.short_name = "k";
    expect_same(p, round_trip(p));
}

TEST(ProfileJson, WritingTwiceGivesTheSameBytes) {
    const std::string once = write_profiles({full_profile(), full_profile()});
    EXPECT_EQ(write_profiles(read_profiles(once, "f")), once);
    EXPECT_TRUE(once.ends_with("}\n"));
    EXPECT_TRUE(read_profiles(write_profiles({}), "f").empty());
}

TEST(ProfileJson, NamesThatScriptsRelyOn) {
    const Json file = Json::parse(write_profiles({full_profile()}));
    EXPECT_EQ(file.at("schema_version"), profile_schema_version);
    EXPECT_EQ(file.at("kprof").at("version"), version());
    const Json& p = file.at("profiles").at(0);
    const auto at = [&](const char* pointer) { return p.at(Json::json_pointer(pointer)); };
    EXPECT_EQ(at("/kernel/short"), "gemm");
    EXPECT_EQ(at("/kernel/shape/k"), 8192);
    EXPECT_FALSE(p.at("kernel").contains("extents"));
    EXPECT_EQ(at("/launch/grid"), Json({128, 64, 2}));
    EXPECT_EQ(at("/launch/smem_static"), 0);
    EXPECT_EQ(at("/launch/launches"), 3);
    EXPECT_EQ(at("/provenance/gpu"), "NVIDIA H200");
    EXPECT_EQ(at("/provenance/device/smem_reserved_per_block"), 1024);
    EXPECT_EQ(at("/time/value"), 22'930'000.5);
    EXPECT_EQ(at("/time/status"), "ok");
    EXPECT_TRUE(p.at("counters").at("dram__bytes_read.sum").is_number());
    EXPECT_EQ(p.at("counters").at("old.sum"),
              Json({{"status", "unsupported"}, {"reason", "not on \"GH100\""}}));
    EXPECT_EQ(at("/work/matrix_product"), true);
    EXPECT_EQ(at("/verification/tolerance"), 1e-5);
}

TEST(ProfileJson, UnknownFieldsAreLeftOutNotZero) {
    KernelProfile p;
    p.kernel.name = "k";
    const Json j = to_json(p);
    EXPECT_FALSE(j.at("launch").contains("grid"));
    EXPECT_FALSE(j.at("launch").contains("registers"));
    EXPECT_FALSE(j.at("provenance").contains("device"));
    EXPECT_FALSE(j.at("provenance").contains("clock_sm_mhz"));
    EXPECT_FALSE(j.at("time").contains("value"));
    EXPECT_FALSE(j.at("verification").contains("error"));
    EXPECT_FALSE(j.contains("work"));
    EXPECT_FALSE(j.contains("warnings"));
    EXPECT_FALSE(j.contains("failure"));
    EXPECT_EQ(j.at("counters"), Json::object());
}

TEST(ProfileJson, TheOrderOfExtentsSurvives) {
    using Extents = decltype(Shape::extents);
    for (const Extents& extents :
         {Extents{{"rows", 3}, {"columns", 4}}, Extents{{"k", 1}, {"m", 2}, {"n", 3}}, Extents{{"n", 7}},
          Extents{{"m", 1}, {"n", 2}, {"k", 3}}, Extents{{"z", 1}, {"y", 2}, {"x", 3}, {"a", 4}},
          Extents{}}) {
        KernelProfile p;
        p.kernel.name = "k";
        p.kernel.shape.extents = extents;
        EXPECT_EQ(round_trip(p).kernel.shape.extents, extents);
    }
}

TEST(ProfileJson, ForeignNamesBecomeSafeText) {
    const std::vector<std::string> names{
        "\xFF\xFE"
        "cut \xE2\x82",
        "esc \x1B[31m",
        std::string("nul\0byte", 8),
        "tab\tnew\nline",
        "quote\" back\\ slash/",
        "\xC0\x80 overlong",
        "漢字 ×µ",
    };
    for (const std::string& name : names) {
        KernelProfile p = full_profile();
        p.kernel.name = p.kernel.mangled = p.kernel.short_name = p.kernel.family = name;
        p.provenance.throttle = p.failure = p.verification.detail = p.provenance.device.name = name;
        p.warnings = {name};
        p.counters[name] = Measurement::missing(name, "", Status::failed, name);
        const KernelProfile back = round_trip(p);
        const std::string safe = printable(name);
        EXPECT_EQ(back.kernel.name, safe);
        EXPECT_EQ(back.kernel.mangled, safe);
        EXPECT_EQ(back.failure, safe);
        EXPECT_EQ(back.provenance.device.name, safe);
        EXPECT_EQ(back.warnings, std::vector<std::string>{safe});
        ASSERT_TRUE(back.counters.contains(safe));
        EXPECT_EQ(back.counters.at(safe).reason, safe);
    }
}

TEST(ProfileJson, EscapesInAFileDoNotReachTheTerminal) {
    const auto read = read_profiles(
        R"({"schema_version":"1.0","profiles":[{"kernel":{"name":"a\u001b[2Jb"},"warnings":["\u0007"]}]})",
        "f");
    EXPECT_EQ(read.at(0).kernel.name.find('\x1B'), std::string::npos);
    EXPECT_EQ(read.at(0).warnings.at(0).find('\x07'), std::string::npos);
}

TEST(ProfileJson, NotANumberIsWrittenAsAFailure) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    KernelProfile p = full_profile();
    p.time.value = nan;
    p.counters["zero.sum"].value = std::numeric_limits<double>::infinity();
    p.verification.error = nan;
    p.provenance.power_w = nan;
    p.work->flops = nan;
    const std::string text = write_profiles({p});
    const KernelProfile back = read_profiles(text, "f").at(0);
    EXPECT_EQ(back.time.status, Status::failed);
    EXPECT_EQ(back.counters.at("zero.sum").status, Status::failed);
    EXPECT_EQ(back.counters.at("zero.sum").reason, "not a finite number");
    EXPECT_FALSE(back.verification.error);
    EXPECT_FALSE(back.provenance.power_w);
    EXPECT_FALSE(contains(text, "null"));
}

TEST(ProfileJson, TheOriginOfCountersFollowsTheKind) {
    for (const auto& [kind, origin] :
         {std::pair{"live", Origin::counter}, std::pair{"recording", Origin::counter},
          std::pair{"imported", Origin::imported}, std::pair{"model", Origin::model}}) {
        const auto read = read_profiles(R"({"schema_version":"1.0","profiles":[{"kernel":{"name":"k"},
            "provenance":{"kind":")" + std::string(kind) +
                                            R"("},"counters":{"a.sum":1}}]})",
                                        "f");
        EXPECT_EQ(read.at(0).counters.at("a.sum").origin, origin) << kind;
    }
}

TEST(ProfileJson, TimeGrowsWithTheSizeNotItsSquare) {
    KernelProfile p = full_profile();
    for (int i = 0; i < 100; ++i) {
        const std::string name = "counter_" + std::to_string(i) + ".sum";
        p.counters[name] = Measurement::of(name, i, "", Origin::counter);
    }
    const auto seconds_for = [&](std::size_t n) {
        const std::string text = write_profiles(std::vector<KernelProfile>(n, p));
        const auto start = std::chrono::steady_clock::now();
        EXPECT_EQ(read_profiles(text, "f").size(), n);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const double small = seconds_for(100), large = seconds_for(1000);
    // Ten times the input; a hundred times the time would be quadratic. Wide, for a loaded machine.
    EXPECT_LT(large, 40 * small + 0.1) << small << " s and " << large << " s";
}

}  // namespace
}  // namespace kprof
