// A linter over configs/gpus and configs/arch: what a person who adds a GPU gets wrong most easily.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "core/error.hpp"
#include "roofline/arch.hpp"
#include "support.hpp"

namespace kprof {
namespace {

std::vector<Machine> all() {
    return load_machines(ConfigStore::open(test::configs()));
}

TEST(GpuConfigs, HoldTheMachinesThatAreDocumented) {
    std::set<std::string> ids;
    for (const Machine& m : all()) ids.insert(m.id);
    for (const char* id :
         {"h100", "h100-pcie", "h200", "a100", "b200", "mi300x", "mi325x", "mi355x", "mi250x"}) {
        EXPECT_EQ(ids.count(id), 1u) << id;
    }
}

TEST(GpuConfigs, EveryCeilingHasUnitOriginSourceAndMark) {
    for (const Machine& m : all()) {
        for (const Ceiling& c : m.ceilings) {
            const std::string where = m.id + " " + c.name + " " + c.pipe;
            EXPECT_GT(c.value, 0) << where;
            EXPECT_GE(c.source.size(), 10u) << where;
            EXPECT_TRUE(c.mark == "V" || c.mark == "S" || c.mark == "U") << where;
            EXPECT_TRUE(c.unit == "B/s" || c.unit == "FLOP/s" || c.unit == "OP/s") << where;
            EXPECT_TRUE(c.origin == "datasheet" || c.origin == "derived") << where;
            EXPECT_TRUE(c.kind != "compute" || c.clock_mhz > 0)
                << where << ": a compute peak holds at a clock";
        }
    }
}

TEST(GpuConfigs, EveryCeilingStandsOnce) {
    for (const Machine& m : all()) {
        std::set<std::string> seen;
        for (const Ceiling& c : m.ceilings) {
            EXPECT_TRUE(seen.insert(c.kind + c.name + c.pipe).second)
                << m.id << " " << c.name << " " << c.pipe;
        }
    }
}

TEST(GpuConfigs, FactsArePlausible) {
    for (const Machine& m : all()) {
        EXPECT_GT(m.sm_count, 50) << m.id;
        EXPECT_GT(m.clock_mhz, 1000) << m.id;
        EXPECT_GT(m.memory_bytes, 32ll << 30) << m.id;
        EXPECT_GE(m.l2_bytes, 8 << 20) << m.id;
        EXPECT_LT(m.l2_bytes, 200 << 20) << m.id;
        EXPECT_FALSE(m.match_names.empty()) << m.id;
        EXPECT_FALSE(m.described) << m.id;
        ASSERT_NE(m.bandwidth("dram"), nullptr) << m.id;
        ASSERT_NE(m.compute("fp32", "vector"), nullptr) << m.id;
    }
}

TEST(GpuConfigs, RidgesAreBetween1And2000) {
    for (const Machine& m : all()) {
        for (const Ceiling& c : m.ceilings) {
            if (c.kind != "compute") continue;
            const double ridge = c.value / m.bandwidth("dram")->value;
            EXPECT_GT(ridge, 1) << m.id << " " << c.name;
            EXPECT_LT(ridge, 2000) << m.id << " " << c.name;
        }
    }
}

TEST(GpuConfigs, NarrowerTypesAreNotSlower) {
    for (const Machine& m : all()) {
        double before = 0;
        for (const char* precision : {"fp64", "tf32", "bf16", "fp8"}) {
            const Ceiling* c = m.compute(precision, "tensor");
            if (!c) continue;
            EXPECT_GE(c->value, before) << m.id << " " << precision;
            before = c->value;
        }
        EXPECT_GE(m.compute("bf16", "tensor")->value, 2 * m.compute("fp32", "vector")->value) << m.id;
        EXPECT_EQ(m.compute("bf16", "tensor")->value, m.compute("fp16", "tensor")->value) << m.id;
        EXPECT_GE(m.compute("fp32", "vector")->value, m.compute("fp64", "vector")->value) << m.id;
    }
}

TEST(GpuConfigs, CachesAreFasterThanWhatTheyCache) {
    for (const Machine& m : all()) {
        double before = 0;
        for (const char* level : {"dram", "mall", "l2", "l1"}) {
            const Ceiling* c = m.bandwidth(level);
            if (!c) continue;
            EXPECT_GT(c->value, before) << m.id << " " << level;
            before = c->value;
        }
    }
}

// A peak is SMs x FLOP per clock x clock: the architecture's rates and the board's numbers must say the same.
TEST(GpuConfigs, PeaksAgreeWithTheRatesOfTheirArchitecture) {
    std::map<std::string, Arch> archs;
    for (const Arch& a : load_archs(ConfigStore::open(test::configs()))) archs[a.id] = a;
    for (const Machine& m : all()) {
        for (const ClockRate& r : archs.at(m.arch).rates) {
            if (r.kind != "compute") continue;
            const Ceiling* c = m.compute(r.name, r.pipe);
            ASSERT_NE(c, nullptr) << m.id << " " << r.name << " " << r.pipe;
            const double expected = r.value * m.sm_count * c->clock_mhz * 1e6;
            EXPECT_NEAR(c->value / expected, 1, 0.02) << m.id << " " << r.name << " " << r.pipe;
        }
    }
}

TEST(GpuConfigs, NumbersThatAreOftenWrong) {
    const ConfigStore store = ConfigStore::open(test::configs());
    const Machine h100 = load_machine(store, "h100");
    EXPECT_DOUBLE_EQ(h100.compute("fp32", "vector")->value, 66.9e12);  // 33.5 is FP64
    EXPECT_DOUBLE_EQ(h100.compute("fp64", "vector")->value, 33.5e12);
    EXPECT_DOUBLE_EQ(h100.compute("bf16", "tensor")->clock_mhz, 1830);
    EXPECT_DOUBLE_EQ(h100.compute("fp32", "vector")->clock_mhz, 1980);
    const Machine mi300x = load_machine(store, "mi300x");
    EXPECT_EQ(mi300x.l2_bytes, 32 << 20);  // 256 MB is the Infinity Cache
    EXPECT_NEAR(mi300x.bandwidth("mall")->value, 17.2e12, 0.01e12);
    EXPECT_DOUBLE_EQ(mi300x.compute("fp32", "vector")->value, 163.4e12);
    EXPECT_EQ(load_machine(store, "a100").compute("fp8"), nullptr);
    EXPECT_EQ(load_machine(store, "mi355x").compute("tf32"), nullptr);
    EXPECT_NEAR(load_machine(store, "h200").compute("bf16")->value /
                    load_machine(store, "h200").bandwidth("dram")->value,
                206, 1);
}

TEST(ArchConfigs, LimitsAreConsistent) {
    for (const Arch& a : load_archs(ConfigStore::open(test::configs()))) {
        EXPECT_LE(a.sm.max_warps * a.sm.warp_size, a.sm.max_threads) << a.id;
        EXPECT_EQ(a.sm.max_warps % a.sm.schedulers, 0) << a.id;
        EXPECT_GT(a.sm.smem, 0) << a.id;
        EXPECT_LE(a.sm.smem_per_block_max + a.sm.smem_reserved, a.sm.smem) << a.id;
        EXPECT_EQ(a.sm.smem % a.sm.smem_granule, 0) << a.id;
    }
}

// ---- broken files
// -------------------------------------------------------------------------------------------

std::string error_of(const std::string& file, const std::string& text) {
    const test::Folder folder;
    folder.write(file, text);
    try {
        load_machines(ConfigStore::open(folder.path()));
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::usage);
        return e.what();
    }
    return "no error";
}

void expect_names(const std::string& message, const std::string& file, int line, const std::string& field) {
    EXPECT_NE(message.find(file + ":" + std::to_string(line)), std::string::npos) << message;
    EXPECT_NE(message.find(field), std::string::npos) << message;
}

TEST(BrokenConfig, ErrorsNameFileLineAndField) {
    expect_names(error_of("gpus/h200.json", "{\n  \"id\": \"h200\",\n  \"sm_cuont\": 132\n}"), "h200.json", 3,
                 "sm_cuont");
    expect_names(
        error_of(
            "gpus/h200.json",
            "{\n  \"id\": \"h200\",\n  \"sm_count\": {\"value\": -1, \"mark\": \"V\", \"source\": \"x\"}\n}"),
        "h200.json", 3, "sm_count");
    expect_names(error_of("gpus/h200.json", "{\n  \"id\": \"h100\"\n}"), "h200.json", 2, "id");
    expect_names(
        error_of(
            "gpus/h200.json",
            "{\n  \"id\": \"h200\",\n  \"ceilings\": [\n    {\"kind\": \"bandwidth\", \"name\": \"dram\",\n"
            "     \"value\": 4.8e12, \"unit\": \"GB/s\", \"origin\": \"datasheet\", \"mark\": \"V\","
            " \"source\": \"x\"}\n  ]\n}"),
        "h200.json", 5, "unit");
    expect_names(error_of("gpus/h200.json", "{\n  \"id\": \"h200\",\n  \"arch\": \"hooper\"\n}"), "h200.json",
                 3, "hooper");
}

TEST(BrokenConfig, ANumberWithoutASourceIsRefused) {
    const std::string message =
        error_of("gpus/h200.json", "{\"id\": \"h200\", \"l2_bytes\": {\"value\": 5, \"mark\": \"V\"}}");
    EXPECT_NE(message.find("source"), std::string::npos) << message;
}

TEST(BrokenConfig, AnIncompleteNewGpuIsRefused) {
    const std::string message =
        error_of("gpus/mine.json", "{\"id\": \"mine\", \"vendor\": \"nvidia\", \"name\": \"Mine\"}");
    EXPECT_NE(message.find("mine.json"), std::string::npos) << message;
    EXPECT_NE(message.find("arch"), std::string::npos) << message;
}

TEST(BrokenConfig, AnUnknownGpuIsAnsweredWithTheNearest) {
    try {
        load_machine(ConfigStore::open(test::configs()), "h20");
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("h200"), std::string::npos) << e.what();
        EXPECT_NE(e.hint().find("mi300x"), std::string::npos) << e.hint();
    }
}

// ---- layers
// -------------------------------------------------------------------------------------------------

TEST(Layers, AUsersFileOverridesFieldsAndWholeCeilings) {
    const test::Folder folder;
    folder.write(
        "gpus/h200.json",
        R"({"id": "h200", "ceilings": [{"kind": "bandwidth", "name": "dram", "value": 4.4e12, "unit": "B/s",
                     "origin": "measured", "mark": "V", "source": "kprof ceilings"}]})");
    const Machine m = load_machine(ConfigStore::open(folder.path()), "h200");
    EXPECT_DOUBLE_EQ(m.bandwidth("dram")->value, 4.4e12);
    EXPECT_EQ(m.bandwidth("dram")->origin, "measured");
    EXPECT_EQ(m.bandwidth("dram")->source, "kprof ceilings");
    EXPECT_DOUBLE_EQ(m.compute("fp32", "vector")->value, 66.9e12);  // the rest stays
    EXPECT_EQ(m.sm_count, 132);
}

TEST(Layers, AUsersNewGpuIsAdded) {
    const test::Folder folder;
    folder.write("gpus/mine.json", R"({"id": "mine", "name": "My GPU", "vendor": "nvidia", "arch": "ada",
        "match": ["RTX 4090"], "sm_count": {"value": 128, "mark": "U", "source": "my own reading"},
        "clock_mhz": {"value": 2520, "mark": "U", "source": "my own reading"},
        "ceilings": [{"kind": "bandwidth", "name": "dram", "value": 1.0e12, "unit": "B/s", "origin": "datasheet",
                      "mark": "U", "source": "my own reading"}]})");
    const ConfigStore store = ConfigStore::open(folder.path());
    EXPECT_EQ(load_machine(store, "mine").sm.max_warps, 48);
    EXPECT_EQ(machine_for(store, test::device("NVIDIA GeForce RTX 4090", 128, 8, 9))->id, "mine");
}

}  // namespace
}  // namespace kprof
