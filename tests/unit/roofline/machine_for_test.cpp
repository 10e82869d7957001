#include <gtest/gtest.h>

#include <cmath>

#include "core/json.hpp"
#include "roofline/machine.hpp"
#include "support.hpp"

namespace kprof {
namespace {

std::optional<Machine> find(const DeviceFacts& d) {
    return machine_for(ConfigStore::open(test::configs()), d);
}

std::string id_of(const std::string& name, int sms, int major = 9, int minor = 0) {
    const auto m = find(test::device(name, sms, major, minor));
    return m ? m->id : "nothing";
}

TEST(MachineFor, FindsTheConfigByTheDriversName) {
    EXPECT_EQ(id_of("NVIDIA H100 80GB HBM3", 132), "h100");
    EXPECT_EQ(id_of("NVIDIA H100 PCIe", 114), "h100-pcie");
    EXPECT_EQ(id_of("NVIDIA H200", 132), "h200");
    EXPECT_EQ(id_of("NVIDIA A100-SXM4-80GB", 108, 8), "a100");
    EXPECT_EQ(id_of("NVIDIA B200", 148, 10), "b200");
    DeviceFacts amd = test::device("AMD Instinct MI300X", 304, 0, 0);
    amd.vendor = "amd";
    EXPECT_EQ(find(amd)->id, "mi300x");
}

TEST(MachineFor, OtherBoardsOfSimilarNamesAreDescribed) {
    EXPECT_EQ(id_of("NVIDIA GH200 480GB", 132), "device");  // holds "H200", is another board
    EXPECT_EQ(id_of("NVIDIA GB200", 148, 10), "device");
    EXPECT_EQ(id_of("NVIDIA H200 NVL", 132), "device");
    EXPECT_EQ(id_of("NVIDIA A100 80GB PCIe", 108, 8), "device");
    EXPECT_EQ(id_of("NVIDIA A100-SXM4-40GB", 108, 8), "device");
}

TEST(MachineFor, APartitionIsDescribedAndSaysWhy) {
    const auto m = find(test::device("NVIDIA H200 MIG 1g.18gb", 16, 9, 0));
    ASSERT_TRUE(m);
    EXPECT_TRUE(m->described);
    EXPECT_NE(m->notes.at(0).find("16 SMs"), std::string::npos) << m->notes.at(0);
    EXPECT_DOUBLE_EQ(m->compute("fp32", "vector")->value, 16 * 256 * 1500e6);
}

TEST(MachineFor, MemoryDecidesWhereNamesDoNot) {
    DeviceFacts d = test::device("NVIDIA H200", 132, 9, 0);
    d.memory_bytes = 150754820096;  // as a real one reports
    EXPECT_EQ(find(d)->id, "h200");
    d.memory_bytes = 100000000000;
    EXPECT_EQ(find(d)->id, "device");
}

TEST(MachineFor, AnUnknownSmCountDoesNotSpoilAMatch) {
    EXPECT_EQ(id_of("NVIDIA H200", 0), "h200");
}

TEST(MachineFor, AChipThatContradictsTheNameIsADoubt) {
    DeviceFacts d = test::device("NVIDIA A100-SXM4-80GB", 108, 8, 0);
    d.chip = "GA100";
    EXPECT_EQ(find(d)->id, "a100");
    EXPECT_TRUE(find(d)->doubts.empty());
    d.chip = "GH100";
    const auto m = find(d);
    ASSERT_TRUE(m);
    EXPECT_TRUE(m->described);
    ASSERT_EQ(m->doubts.size(), 2U);
    EXPECT_NE(m->doubts[0].find("called 'NVIDIA A100-SXM4-80GB' but has the chip GH100"), std::string::npos)
        << m->doubts[0];
    EXPECT_NE(m->doubts[1].find("architecture hopper, the compute capability 8.0 of ampere"),
              std::string::npos)
        << m->doubts[1];
    DeviceFacts amd = test::device("AMD Instinct MI300X", 304, 0, 0);
    amd.chip = "gfx942:sramecc+:xnack-";  // features behind the chip are no other chip
    EXPECT_EQ(find(amd)->id, "mi300x");
}

TEST(MachineFor, TwoFilesThatMatchAreADoubt) {
    const test::Folder user;
    const ConfigStore plain = ConfigStore::open(test::configs());
    EXPECT_TRUE(machine_for(plain, test::device("NVIDIA H200", 132, 9, 0))->doubts.empty());
    user.write("arch/hopper.json", read_file(test::configs() + "/arch/hopper.json"));
    for (const char* id : {"a-first", "b-second"}) {
        std::string text = read_file(test::configs() + "/gpus/h200.json");
        const std::string own = "\"id\": \"h200\"";
        const std::size_t at = text.find(own);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, own.size(), std::string("\"id\": \"") + id + "\"");
        user.write(std::string("gpus/") + id + ".json", text);
    }
    const auto m = machine_for(ConfigStore::open(user.path()), test::device("NVIDIA H200", 132, 9, 0));
    ASSERT_TRUE(m);
    EXPECT_EQ(m->id, "a-first");
    ASSERT_EQ(m->doubts.size(), 1U);
    EXPECT_NE(m->doubts[0].find("gpus/a-first.json was taken, gpus/b-second.json"), std::string::npos)
        << m->doubts[0];
}

TEST(Described, RoofsComeFromAttributes) {
    DeviceFacts d = test::device("NVIDIA A100 80GB PCIe", 108, 8, 0);
    d.clock_max_mhz = 1410;
    d.memory_clock_mhz = 1512;
    d.memory_bus_bits = 5120;
    d.smem_per_sm = 167936;
    const Machine m = *find(d);
    EXPECT_EQ(m.arch, "ampere");
    EXPECT_NEAR(m.bandwidth("dram")->value, 1.935e12, 0.001e12);
    EXPECT_EQ(m.bandwidth("dram")->origin, "derived");
    EXPECT_NEAR(m.compute("fp32", "vector")->value, 19.5e12, 0.01e12);
    EXPECT_NEAR(m.compute("bf16", "tensor")->value, 312e12, 0.2e12);
    EXPECT_EQ(m.compute("fp8"), nullptr);
    EXPECT_EQ(m.sm.smem, 167936);
}

TEST(Described, HopperTensorRate) {
    DeviceFacts d = test::device("NVIDIA GH200 480GB", 132, 9, 0);
    d.clock_max_mhz = 1830;
    const Machine m = *find(d);
    EXPECT_NEAR(m.compute("bf16", "tensor")->value, 989.4e12, 0.2e12);
    EXPECT_NEAR(m.compute("tf32", "tensor")->value, 494.7e12, 0.1e12);
    EXPECT_EQ(m.bandwidth("dram"), nullptr);  // no memory clock: no roof, and a note
    bool noted = false;
    for (const std::string& note : m.notes) noted = noted || note.find("DRAM") != std::string::npos;
    EXPECT_TRUE(noted);
}

TEST(Described, AnUnknownArchitectureHasNoComputeRoof) {
    const Machine m = *find(test::device("NVIDIA Future", 200, 42, 0));
    for (const Ceiling& c : m.ceilings) EXPECT_NE(c.kind, "compute");
    EXPECT_EQ(m.arch, "");
}

TEST(Described, AmdPartitionsScaleByTheirUnits) {
    DeviceFacts d = test::device("AMD Instinct MI300X", 38, 0, 0);
    d.vendor = "amd";
    d.chip = "gfx942";
    d.clock_max_mhz = 2100;
    d.warp_size = 64;
    const Machine m = *find(d);
    EXPECT_TRUE(m.described);
    EXPECT_NEAR(m.compute("bf16", "tensor")->value, 1307.4e12 / 8, 0.1e12);
    EXPECT_EQ(m.sm.registers_model, "per_simd_lanes");
    EXPECT_EQ(m.sm.registers, 512);
    EXPECT_EQ(m.sm.max_warps, 32);
}

TEST(MachineFor, NothingKnownIsNothing) {
    EXPECT_FALSE(find(DeviceFacts{}));
}

TEST(Machine, ComputeWithoutAPipePrefersTensor) {
    const Machine m = load_machine(ConfigStore::open(test::configs()), "h200");
    EXPECT_EQ(m.compute("fp64")->pipe, "tensor");
    EXPECT_EQ(m.compute("fp32")->pipe, "vector");
    EXPECT_EQ(m.compute("fp4"), nullptr);
    EXPECT_EQ(m.bandwidth("l2"), nullptr);
}

}  // namespace
}  // namespace kprof
