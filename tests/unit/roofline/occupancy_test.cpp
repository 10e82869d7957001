#include "roofline/occupancy.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

#ifdef KPROF_HAVE_CUDA_OCCUPANCY
#include <climits>
#include <cstring>

#include "cuda_occupancy.h"
#endif

namespace kprof {
namespace {

Machine machine(const std::string& id) {
    return load_machine(ConfigStore::open(test::configs()), id);
}

Launch launch(std::uint32_t threads, std::optional<int> registers, std::optional<std::int64_t> smem_static,
              std::optional<std::int64_t> smem_dynamic = 0) {
    Launch l;
    l.grid = {1056, 1, 1};
    l.block = {threads, 1, 1};
    l.registers = registers;
    l.smem_static = smem_static;
    l.smem_dynamic = smem_dynamic;
    return l;
}

using Names = std::vector<std::string>;

TEST(Occupancy, TheDriversReserveCounts) {
    // 32 KB + 1 KB: 228 / 33 = 6 blocks of 8 warps, not the 7 that 228 / 32 suggests.
    const Occupancy o = *occupancy(launch(256, 32, 32768), machine("h100"));
    EXPECT_EQ(o.blocks_per_sm, 6);
    EXPECT_DOUBLE_EQ(o.fraction, 0.75);
    EXPECT_EQ(o.limiters, Names{"shared memory"});
    EXPECT_NEAR(o.waves, 1056.0 / (6 * 132), 1e-12);
    EXPECT_TRUE(o.problem.empty());
}

TEST(Occupancy, ALargeHopperGemm) {
    const Occupancy o = *occupancy(launch(384, 168, 0, 180000), machine("h200"));
    EXPECT_EQ(o.by_registers, 1);
    EXPECT_EQ(o.by_smem, 1);
    EXPECT_EQ(o.by_warps, 5);
    EXPECT_EQ(o.by_blocks, 32);
    EXPECT_EQ(o.limiters, (Names{"registers", "shared memory"}));
}

TEST(Occupancy, SmallBlocksAreLimitedByTheirNumber) {
    const Occupancy o = *occupancy(launch(32, 16, 0), machine("h200"));
    EXPECT_EQ(o.blocks_per_sm, 32);
    EXPECT_DOUBLE_EQ(o.fraction, 0.5);
    EXPECT_EQ(o.limiters, Names{"blocks"});
}

TEST(Occupancy, WhatIsNotKnownIsLeftOut) {
    const Occupancy o = *occupancy(launch(1024, std::nullopt, std::nullopt, std::nullopt), machine("h200"));
    EXPECT_FALSE(o.by_registers);
    EXPECT_FALSE(o.by_smem);
    EXPECT_EQ(o.limiters, Names{"warps"});
    EXPECT_FALSE(occupancy(Launch{}, machine("h200")));
}

TEST(Occupancy, WhatDoesNotFitSaysWhy) {
    const Occupancy big = *occupancy(launch(256, 32, 0, 300 * 1024), machine("h100"));
    EXPECT_EQ(big.blocks_per_sm, 0);
    EXPECT_DOUBLE_EQ(big.waves, 0);
    EXPECT_EQ(big.problem, "needs 300 KB of shared memory, a block can have 227 KB");
    const Occupancy fat = *occupancy(launch(1024, 128, 0), machine("h100"));
    EXPECT_EQ(fat.blocks_per_sm, 0);
    EXPECT_NE(fat.problem.find("register file"), std::string::npos) << fat.problem;
    const Occupancy wide = *occupancy(launch(2048, 16, 0), machine("h100"));
    EXPECT_EQ(wide.blocks_per_sm, 0);
    EXPECT_NE(wide.problem.find("1024"), std::string::npos) << wide.problem;
}

TEST(Occupancy, TheLargestBlockFits) {
    EXPECT_EQ(occupancy(launch(256, 32, 0, 227 * 1024), machine("h100"))->blocks_per_sm, 1);
    EXPECT_EQ(occupancy(launch(256, 32, 0, 227 * 1024 + 1), machine("h100"))->blocks_per_sm, 0);
    EXPECT_EQ(occupancy(launch(256, 32, 0, 163 * 1024), machine("a100"))->blocks_per_sm, 1);
    EXPECT_EQ(occupancy(launch(256, 32, 0, 163 * 1024 + 1), machine("a100"))->blocks_per_sm, 0);
}

TEST(Occupancy, AmdVgprsSetWavesPerSimd) {
    const Machine m = machine("mi300x");
    const std::pair<int, int> truth[] = {{10, 8}, {64, 8},  {65, 7},  {72, 7},  {80, 6},
                                         {96, 5}, {128, 4}, {129, 3}, {252, 2}, {512, 1}};
    for (const auto& [vgprs, waves_per_simd] : truth) {
        const Occupancy o = *occupancy(launch(64, vgprs, 0), m);
        EXPECT_EQ(o.warps_per_sm, 4 * waves_per_simd) << vgprs;
    }
    EXPECT_EQ(occupancy(launch(64, 513, 0), m)->blocks_per_sm, 0);
}

TEST(Occupancy, AmdLdsIsAllocatedInGranules) {
    const Occupancy o = *occupancy(launch(256, 32, 16385), machine("mi300x"));
    EXPECT_EQ(o.by_smem, 3);  // 16,385 B take 16,896: 65,536 / 16,896 = 3
    EXPECT_EQ(o.warps_per_sm, 12);
    EXPECT_EQ(occupancy(launch(256, 32, 16384), machine("mi300x"))->by_smem, 4);
    EXPECT_FALSE(occupancy(launch(256, 32, 0), machine("mi300x"))->by_smem);      // no LDS: no limit
    EXPECT_EQ(occupancy(launch(256, 32, 16384), machine("mi355x"))->by_smem, 9);  // 13 granules of 1,280 B
}

#ifdef KPROF_HAVE_CUDA_OCCUPANCY
// Every launch within reach, against the toolkit's own header.
void sweep(const std::string& id, int major, std::size_t smem_sm) {
    const Machine m = machine(id);
    cudaOccDeviceProp prop;
    prop.computeMajor = major;
    prop.computeMinor = 0;
    prop.maxThreadsPerBlock = 1024;
    prop.maxThreadsPerMultiprocessor = 2048;
    prop.regsPerBlock = prop.regsPerMultiprocessor = 65536;
    prop.warpSize = 32;
    prop.sharedMemPerBlock = 48 * 1024;
    prop.sharedMemPerMultiprocessor = smem_sm;
    prop.sharedMemPerBlockOptin = smem_sm - 1024;
    prop.reservedSharedMemPerBlock = 1024;
    prop.numSms = m.sm_count;
    cudaOccDeviceState state;
    std::int64_t compared = 0;
    for (int threads = 32; threads <= 1024; threads += threads % 96 == 0 ? 33 : 31) {
        if (threads > 1024) break;
        for (int regs = 0; regs <= 255; regs += regs < 32 ? 8 : 1) {
            for (std::size_t smem = 0; smem <= smem_sm + 512;
                 smem += smem % 4096 == 0 ? std::size_t{127} : std::size_t{3969}) {
                cudaOccFuncAttributes attr;
                attr.maxThreadsPerBlock = 1024;
                attr.numRegs = regs;
                attr.sharedSizeBytes = 0;
                attr.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                attr.maxDynamicSharedSizeBytes = smem_sm;
                attr.numBlockBarriers = 1;
                cudaOccResult result;
                std::memset(&result, 0, sizeof(result));
                ASSERT_EQ(
                    cudaOccMaxActiveBlocksPerMultiprocessor(&result, &prop, &attr, &state, threads, smem),
                    CUDA_OCC_SUCCESS);
                const auto own = occupancy(launch(static_cast<std::uint32_t>(threads),
                                                  regs > 0 ? std::optional<int>(regs) : std::nullopt, 0,
                                                  static_cast<std::int64_t>(smem)),
                                           m);
                ASSERT_TRUE(own);
                ASSERT_EQ(own->blocks_per_sm, result.activeBlocksPerMultiprocessor)
                    << threads << " threads, " << regs << " registers, " << smem << " B";
                ASSERT_EQ(own->by_registers.value_or(INT_MAX), result.blockLimitRegs)
                    << threads << " threads, " << regs << " registers";
                ASSERT_EQ(own->by_smem.value_or(INT_MAX), result.blockLimitSharedMem) << smem << " B";
                ASSERT_EQ(own->by_warps, result.blockLimitWarps) << threads << " threads";
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100000);
}

TEST(OccupancyAgainstTheToolkit, ComputeCapability80) {
    sweep("a100", 8, 164 * 1024);
}
TEST(OccupancyAgainstTheToolkit, ComputeCapability90) {
    sweep("h200", 9, 228 * 1024);
}
#endif

}  // namespace
}  // namespace kprof
