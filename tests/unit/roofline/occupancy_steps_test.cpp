#include "roofline/occupancy_steps.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

#ifdef KPROF_HAVE_CUDA_OCCUPANCY
#include <cstring>

#include "cuda_occupancy.h"
#endif

namespace kprof {
namespace {

const Machine& machine(const std::string& id) {
    static std::map<std::string, Machine> loaded;
    const auto found = loaded.find(id);
    if (found != loaded.end()) return found->second;
    return loaded.emplace(id, load_machine(ConfigStore::open(test::configs()), id)).first->second;
}

BlockNeeds needs(int threads, std::optional<int> registers, std::int64_t smem,
                 std::optional<int> sgprs = std::nullopt) {
    BlockNeeds n;
    n.threads = threads;
    n.registers = registers;
    n.smem = smem;
    n.sgprs = sgprs;
    return n;
}

std::vector<BlockNeeds> many(const Machine& m) {
    std::vector<BlockNeeds> all;
    for (const int threads : {1, 64, 128, 200, 256, 384, 512, 1000, 1024})
        for (const int registers : {0, 16, 32, 48, 65, 96, 128, 168, 255})
            for (const std::int64_t smem : {0, 1, 1024, 16384, 32768, 49152, 65535, 100000, 200000})
                all.push_back(
                    needs(threads, registers > 0 ? std::optional<int>(registers) : std::nullopt, smem,
                          m.vendor == "amd" ? std::optional<int>(registers % 40 + 80) : std::nullopt));
    return all;
}

BlockNeeds with(BlockNeeds n, const std::string& resource, std::int64_t value) {
    if (resource == "registers") n.registers = static_cast<int>(value);
    if (resource == "scalar registers") n.sgprs = static_cast<int>(value);
    if (resource == "shared memory") n.smem = value;
    return n;
}

TEST(OccupancySteps, ThirtyTwoKilobytesOnAnH100) {
    const BlockNeeds n = needs(256, 32, 32768);
    const Machine& m = machine("h100");
    EXPECT_EQ(occupancy_of(n, m).blocks_per_sm, 6);
    const auto up = step_up(n, m);
    ASSERT_TRUE(up);
    EXPECT_EQ(up->reached.blocks_per_sm, 7);
    ASSERT_EQ(up->bounds.size(), 1U);
    EXPECT_EQ(up->bounds[0].resource, "shared memory");
    EXPECT_EQ(up->bounds[0].at_most, 32256);  // 228 KB / 7 in units of 128 B, without the reserved 1 KB
    const auto down = step_down(n, m);
    ASSERT_EQ(down.size(), 2U);
    EXPECT_EQ(down[0].up_to, 40);                 // 5 × 8 warps of 48 registers
    EXPECT_EQ(down[1].up_to, 233472 / 6 - 1024);  // 38,912 is a multiple of 128
    EXPECT_EQ(down[1].beyond.blocks_per_sm, 5);
}

TEST(OccupancySteps, SeveralLimitsAreMendedTogether) {
    const auto up = step_up(needs(384, 168, 180000), machine("h200"));
    ASSERT_TRUE(up);
    EXPECT_EQ(up->reached.blocks_per_sm, 2);
    ASSERT_EQ(up->bounds.size(), 2U);
    EXPECT_EQ(up->bounds[0].at_most, 80);
    EXPECT_EQ(up->bounds[1].at_most, 115712);
}

TEST(OccupancySteps, ScalarRegistersOfAmd) {
    const Machine& m = machine("mi300x");
    EXPECT_EQ(occupancy_of(needs(64, 32, 0, 100), m).warps_per_sm, 32);
    const Occupancy o = occupancy_of(needs(64, 32, 0, 102), m);
    EXPECT_EQ(o.warps_per_sm, 28);
    EXPECT_EQ(o.limiters, std::vector<std::string>{"scalar registers"});
    EXPECT_EQ(step_up(needs(64, 32, 0, 102), m)->bounds.at(0).at_most, 100);
    EXPECT_FALSE(occupancy_of(needs(64, 32, 0), m).by_sgprs);
    EXPECT_FALSE(occupancy_of(needs(64, 32, 0, 102), machine("h100")).by_sgprs);  // NVIDIA has no such limit
}

// Every bound is the largest that reaches its step: one more does not.
TEST(OccupancySteps, BoundsAreExact) {
    int up_steps = 0, down_steps = 0;
    for (const char* id : {"h200", "a100", "mi300x", "mi355x"}) {
        const Machine& m = machine(id);
        for (const BlockNeeds& n : many(m)) {
            SCOPED_TRACE(std::string(id) + " " + std::to_string(n.threads) + " threads, " +
                         std::to_string(n.registers.value_or(0)) + " registers, " + std::to_string(n.smem) +
                         " B");
            const Occupancy now = occupancy_of(n, m);
            if (const auto up = step_up(n, m)) {
                ++up_steps;
                ASSERT_FALSE(up->bounds.empty());
                BlockNeeds changed = n;
                for (const ResourceBound& b : up->bounds) changed = with(changed, b.resource, b.at_most);
                ASSERT_EQ(occupancy_of(changed, m).blocks_per_sm, up->reached.blocks_per_sm);
                ASSERT_GT(up->reached.blocks_per_sm, now.blocks_per_sm);
                for (const ResourceBound& b : up->bounds) {
                    ASSERT_LT(b.at_most, b.now);
                    ASSERT_LE(occupancy_of(with(changed, b.resource, b.at_most + 1), m).blocks_per_sm,
                              now.blocks_per_sm);
                }
            } else {
                // Nothing of registers and bytes helps, down to the least of both.
                BlockNeeds least = n;
                if (least.registers) least.registers = 1;
                if (least.sgprs) least.sgprs = 1;
                least.smem = 0;
                ASSERT_EQ(occupancy_of(least, m).blocks_per_sm, now.blocks_per_sm);
            }
            for (const OccupancyMargin& d : step_down(n, m)) {
                ++down_steps;
                ASSERT_GE(d.up_to, d.now);
                ASSERT_EQ(occupancy_of(with(n, d.resource, d.up_to), m).blocks_per_sm, now.blocks_per_sm);
                ASSERT_LT(d.beyond.blocks_per_sm, now.blocks_per_sm);
                ASSERT_EQ(occupancy_of(with(n, d.resource, d.up_to + 1), m).blocks_per_sm,
                          d.beyond.blocks_per_sm);
            }
        }
    }
    EXPECT_GT(up_steps, 500);
    EXPECT_GT(down_steps, 500);
}

TEST(OccupancySteps, TheNearestBetterBlock) {
    for (const char* id : {"h200", "mi300x"}) {
        const Machine& m = machine(id);
        for (const BlockNeeds& n : many(m)) {
            const int now = occupancy_of(n, m).warps_per_sm;
            const int size = (n.threads + m.sm.warp_size - 1) / m.sm.warp_size * m.sm.warp_size;
            int nearest = 0;
            for (int threads = m.sm.warp_size; threads <= 1024; threads += m.sm.warp_size) {
                BlockNeeds other = n;
                other.threads = threads;
                const bool better = occupancy_of(other, m).warps_per_sm > now;
                if (better && (nearest == 0 || std::abs(threads - size) < std::abs(nearest - size)))
                    nearest = threads;
            }
            const auto found = nearest_better_block(n, m);
            ASSERT_EQ(found.has_value(), nearest > 0);
            if (found) {
                ASSERT_EQ(std::abs(found->threads - size), std::abs(nearest - size));
                ASSERT_GT(found->reached.warps_per_sm, now);
            }
        }
    }
}

TEST(OccupancySteps, UsesShowWhatIsAllocated) {
    const std::vector<ResourceUse> uses = resource_uses(needs(200, 33, 16385), machine("h100"));
    ASSERT_EQ(uses.size(), 4U);
    EXPECT_EQ(uses[0].allocated, 7);     // warps
    EXPECT_EQ(uses[2].allocated, 1280);  // 1,056 registers a warp in granules of 256
    EXPECT_EQ(uses[3].allocated, 16384 + 1024 + 128);
    EXPECT_EQ(resource_uses(needs(256, 33, 16385), machine("mi300x"))[2].allocated, 40);
    EXPECT_EQ(resource_uses(needs(256, std::nullopt, 0), machine("h100")).size(), 3U);  // registers not known
}

#ifdef KPROF_HAVE_CUDA_OCCUPANCY
int blocks_by_the_toolkit(const BlockNeeds& n) {
    cudaOccDeviceProp prop;
    prop.computeMajor = 9;
    prop.computeMinor = 0;
    prop.maxThreadsPerBlock = 1024;
    prop.maxThreadsPerMultiprocessor = 2048;
    prop.regsPerBlock = prop.regsPerMultiprocessor = 65536;
    prop.warpSize = 32;
    prop.sharedMemPerBlock = 48 * 1024;
    prop.sharedMemPerMultiprocessor = 228 * 1024;
    prop.sharedMemPerBlockOptin = 227 * 1024;
    prop.reservedSharedMemPerBlock = 1024;
    prop.numSms = 132;
    cudaOccDeviceState state;
    cudaOccFuncAttributes attr;
    attr.maxThreadsPerBlock = 1024;
    attr.numRegs = n.registers.value_or(0);
    attr.sharedSizeBytes = 0;
    attr.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    attr.maxDynamicSharedSizeBytes = 228 * 1024;
    attr.numBlockBarriers = 1;
    cudaOccResult result;
    std::memset(&result, 0, sizeof(result));
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &prop, &attr, &state, n.threads, static_cast<std::size_t>(n.smem));
    return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

TEST(OccupancyStepsAgainstTheToolkit, UpAndDown) {
    const Machine& m = machine("h200");
    int steps = 0;
    for (const BlockNeeds& n : many(m)) {
        const int now = occupancy_of(n, m).blocks_per_sm;
        ASSERT_EQ(blocks_by_the_toolkit(n), now);
        if (const auto up = step_up(n, m)) {
            BlockNeeds changed = n;
            for (const ResourceBound& b : up->bounds) changed = with(changed, b.resource, b.at_most);
            ASSERT_EQ(blocks_by_the_toolkit(changed), up->reached.blocks_per_sm);
            ++steps;
        }
        for (const OccupancyMargin& d : step_down(n, m)) {
            ASSERT_EQ(blocks_by_the_toolkit(with(n, d.resource, d.up_to)), now);
            ASSERT_EQ(blocks_by_the_toolkit(with(n, d.resource, d.up_to + 1)), d.beyond.blocks_per_sm);
            ++steps;
        }
    }
    EXPECT_GT(steps, 500);
}
#endif

}  // namespace
}  // namespace kprof
