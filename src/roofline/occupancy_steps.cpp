#include "roofline/occupancy_steps.hpp"

#include <algorithm>
#include <functional>

namespace kprof {
namespace {

// A resource as a number that can be turned: how much a block has now, the least and the most that one may
// ask for, and the blocks per SM for another value of it.
struct Dial {
    std::string resource;
    std::int64_t now, low, high;
    std::function<void(BlockNeeds&, std::int64_t)> set;
};

std::vector<Dial> dials(const BlockNeeds& needs, const Machine& machine) {
    const SmLimits& sm = machine.sm;
    std::vector<Dial> all;
    if (needs.registers)
        all.push_back({"registers", *needs.registers, 1, sm.max_registers_per_thread,
                       [](BlockNeeds& n, std::int64_t v) { n.registers = static_cast<int>(v); }});
    if (needs.sgprs && sm.sgprs > 0)
        all.push_back({"scalar registers", *needs.sgprs, 1, *needs.sgprs,
                       [](BlockNeeds& n, std::int64_t v) { n.sgprs = static_cast<int>(v); }});
    if (sm.smem > 0)
        all.push_back({"shared memory", needs.smem, 0,
                       sm.smem_per_block_max > 0 ? sm.smem_per_block_max : sm.smem,
                       [](BlockNeeds& n, std::int64_t v) { n.smem = v; }});
    return all;
}

BlockNeeds turned(BlockNeeds needs, const Dial& dial, std::int64_t value) {
    dial.set(needs, value);
    return needs;
}

// Blocks that this resource alone allows.
int alone(const Dial& dial, std::int64_t value, const BlockNeeds& needs, const Machine& machine) {
    BlockNeeds only;
    only.threads = needs.threads;
    return occupancy_of(turned(only, dial, value), machine).blocks_per_sm;
}

// The largest value in [low, high] that allows `blocks` blocks: more of a resource never allows more blocks.
std::optional<std::int64_t> most(const Dial& dial, int blocks, const BlockNeeds& needs,
                                 const Machine& machine) {
    if (alone(dial, dial.low, needs, machine) < blocks) return std::nullopt;
    std::int64_t good = dial.low, bad = dial.high + 1;
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (alone(dial, middle, needs, machine) >= blocks ? good : bad) = middle;
    }
    return good;
}

}  // namespace

Occupancy occupancy_of(const BlockNeeds& needs, const Machine& machine) {
    Launch launch;
    launch.grid = {1, 1, 1};
    launch.block = {static_cast<std::uint32_t>(std::max(needs.threads, 0)), 1, 1};
    launch.registers = needs.registers;
    launch.smem_static = needs.smem;
    return occupancy(launch, machine, needs.sgprs).value_or(Occupancy{});
}

std::vector<ResourceUse> resource_uses(const BlockNeeds& needs, const Machine& machine) {
    const SmLimits& sm = machine.sm;
    const Occupancy o = occupancy_of(needs, machine);
    const std::int64_t warps = (needs.threads + sm.warp_size - 1) / sm.warp_size;
    const bool amd = sm.registers_model == "per_simd_lanes";
    std::vector<ResourceUse> uses;
    const auto add = [&](const char* resource, std::optional<int> blocks, std::int64_t asked,
                         std::int64_t allocated, std::int64_t available, const char* unit) {
        const bool limits = std::find(o.limiters.begin(), o.limiters.end(), resource) != o.limiters.end();
        uses.push_back({resource, blocks, limits, asked, allocated, available, unit});
    };
    add("warps", o.by_warps, needs.threads, warps, std::min(sm.max_warps, sm.max_threads / sm.warp_size),
        amd ? "waves" : "warps");
    add("blocks", o.by_blocks, 1, 1, sm.max_blocks, amd ? "workgroups" : "blocks");
    if (needs.registers)
        add("registers", o.by_registers, *needs.registers, registers_allocated(*needs.registers, sm),
            amd ? sm.registers : sm.registers / sm.schedulers,
            amd ? "VGPRs of a SIMD lane" : "registers of a sub-partition");
    if (needs.sgprs && sm.sgprs > 0)
        add("scalar registers", o.by_sgprs, *needs.sgprs, *needs.sgprs, sm.sgprs, "SGPRs of a SIMD");
    if (sm.smem > 0)
        add("shared memory", o.by_smem, needs.smem, smem_allocated(needs.smem, sm), sm.smem, "B");
    return uses;
}

std::optional<OccupancyStep> step_up(const BlockNeeds& needs, const Machine& machine) {
    const Occupancy now = occupancy_of(needs, machine);
    const int ceiling = std::min(now.by_warps.value_or(0), now.by_blocks.value_or(0));
    if (now.blocks_per_sm >= ceiling) return std::nullopt;
    const int wanted = now.blocks_per_sm + 1;
    OccupancyStep step;
    BlockNeeds changed = needs;
    for (const Dial& dial : dials(needs, machine)) {
        if (alone(dial, dial.now, needs, machine) >= wanted) continue;
        const std::optional<std::int64_t> at_most = most(dial, wanted, needs, machine);
        if (!at_most) return std::nullopt;
        dial.set(changed, *at_most);
        step.bounds.push_back({dial.resource, dial.now, *at_most});
    }
    step.reached = occupancy_of(changed, machine);
    return step;
}

std::optional<BlockSizeStep> nearest_better_block(const BlockNeeds& needs, const Machine& machine) {
    const SmLimits& sm = machine.sm;
    const int now = occupancy_of(needs, machine).warps_per_sm;
    const int size = (needs.threads + sm.warp_size - 1) / sm.warp_size;  // in warps
    const int largest = sm.max_threads_per_block / sm.warp_size;
    for (int distance = 1; distance < std::max(size, largest); ++distance) {
        std::optional<BlockSizeStep> best;
        for (const int warps : {size - distance, size + distance}) {
            if (warps < 1 || warps > largest) continue;
            BlockNeeds other = needs;
            other.threads = warps * sm.warp_size;
            const Occupancy reached = occupancy_of(other, machine);
            if (reached.warps_per_sm > (best ? best->reached.warps_per_sm : now))
                best = {other.threads, reached};
        }
        if (best) return best;
    }
    return std::nullopt;
}

std::vector<OccupancyMargin> step_down(const BlockNeeds& needs, const Machine& machine) {
    const int blocks = occupancy_of(needs, machine).blocks_per_sm;
    std::vector<OccupancyMargin> margins;
    if (blocks == 0) return margins;
    for (const Dial& dial : dials(needs, machine)) {
        const std::optional<std::int64_t> up_to = most(dial, blocks, needs, machine);
        // Registers end at what the compiler gives a thread: no step there. Shared memory can be asked for.
        if (!up_to || (*up_to >= dial.high && dial.resource != "shared memory")) continue;
        margins.push_back(
            {dial.resource, dial.now, *up_to, occupancy_of(turned(needs, dial, *up_to + 1), machine)});
    }
    return margins;
}

}  // namespace kprof
