// Rules of NVIDIA, as in cuda_occupancy.h of the CUDA toolkit (a test sweeps both against each other):
//   registers  a warp gets ceil(registers * warp_size, register_granule); each of the SM's sub-partitions
//              holds a fourth of the file, so warps = floor(file / schedulers / that) * schedulers. A block
//              must fit when its warps are rounded up to the sub-partitions.
//   smem       a block gets static + dynamic + the driver's reserve (1 KB from sm_80 on), rounded up to the
//              granule (128 B).
// Rules of AMD (LLVM's AMDGPU back end; "Occupancy [waves/SIMD]" of clang's kernel-resource-usage remarks):
//   VGPRs      waves per SIMD = floor(512 / ceil(vgprs, 8)), at most 8; a CU has 4 SIMDs.
//   SGPRs      waves per SIMD = floor(800 / sgprs): 8 up to 100, 7 above.
//   LDS        a workgroup gets its LDS rounded up to the granule (512 B, gfx950 1280 B).
#include "roofline/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace kprof {
namespace {

template <typename T>
T divide_up(T value, T by) {
    return (value + by - 1) / by;
}
template <typename T>
T round_up(T value, T granule) {
    return divide_up(value, granule) * granule;
}

bool is_per_simd(const SmLimits& sm) {
    return sm.registers_model == "per_simd_lanes";
}

struct Limit {
    std::optional<int> blocks;  // empty: this resource does not limit, or is not known
    std::string problem;        // why it is 0
};

Limit by_registers(int registers, std::int64_t warps_per_block, const SmLimits& sm) {
    if (registers > sm.max_registers_per_thread) {
        return {0, fmt::format("needs {} registers per thread, a thread can have {}", registers,
                               sm.max_registers_per_thread)};
    }
    std::int64_t warps = 0, held = 0;
    const std::int64_t allocated = registers_allocated(registers, sm);
    if (is_per_simd(sm)) {
        const std::int64_t per_simd = sm.registers / allocated;
        warps = held = per_simd * sm.schedulers;
    } else {
        const std::int64_t per_warp = allocated;
        warps = sm.registers / sm.schedulers / per_warp * sm.schedulers;
        // The hardware checks a block as if its warps took registers in all sub-partitions at once.
        held = sm.registers / per_warp;
    }
    const std::int64_t checked =
        is_per_simd(sm) ? warps_per_block : round_up<std::int64_t>(warps_per_block, sm.warp_granule);
    if (checked > held) {
        return {0, fmt::format("{} warps of {} registers per thread do not fit the register file",
                               warps_per_block, registers)};
    }
    const auto blocks = static_cast<int>(warps / warps_per_block);
    if (blocks > 0) return {blocks, {}};
    return {0, fmt::format("{} warps of {} registers per thread do not fit the register file",
                           warps_per_block, registers)};
}

Limit by_sgprs(int sgprs, std::int64_t warps_per_block, const SmLimits& sm) {
    const int per_simd = sm.sgprs / sgprs;
    const auto blocks = static_cast<int>(std::int64_t{per_simd} * sm.schedulers / warps_per_block);
    if (blocks > 0) return {blocks, {}};
    return {0, fmt::format("{} waves of {} scalar registers do not fit the register file", warps_per_block,
                           sgprs)};
}

Limit by_smem(std::int64_t bytes, const SmLimits& sm) {
    const std::int64_t most = sm.smem_per_block_max > 0 ? sm.smem_per_block_max : sm.smem;
    const std::int64_t allocated = smem_allocated(bytes, sm);
    if (allocated > most + sm.smem_reserved) {
        // Rounded to KB, "needs 227 KB, can have 227 KB" would say nothing.
        if (bytes % 1024 != 0 || most % 1024 != 0)
            return {0, fmt::format("needs {} bytes of shared memory, a block can have {}", bytes, most)};
        return {0, fmt::format("needs {} KB of shared memory, a block can have {} KB", bytes / 1024,
                               most / 1024)};
    }
    if (allocated == 0) return {};
    const std::int64_t blocks = sm.smem / allocated;
    return {static_cast<int>(std::min<std::int64_t>(blocks, std::numeric_limits<int>::max())), {}};
}

// Static and dynamic bytes. When only one is known it still bounds the blocks from above, and more tightly
// than leaving shared memory out.
std::optional<std::int64_t> smem_of(const Launch& launch) {
    if (!launch.smem_static && !launch.smem_dynamic) return std::nullopt;
    return launch.smem_static.value_or(0) + launch.smem_dynamic.value_or(0);
}

}  // namespace

std::int64_t registers_allocated(int registers, const SmLimits& sm) {
    return round_up(is_per_simd(sm) ? registers : registers * sm.warp_size, sm.register_granule);
}

std::int64_t smem_allocated(std::int64_t bytes, const SmLimits& sm) {
    return round_up(bytes + sm.smem_reserved, sm.smem_granule);
}

std::optional<Occupancy> occupancy(const Launch& launch, const Machine& machine, std::optional<int> sgprs) {
    if (!launch.known() || launch.threads_per_block() <= 0) return std::nullopt;
    const SmLimits& sm = machine.sm;
    if (sm.warp_size <= 0 || sm.max_warps <= 0) return std::nullopt;
    const std::int64_t threads = launch.threads_per_block();
    const std::int64_t warps_per_block = divide_up<std::int64_t>(threads, sm.warp_size);
    const int max_warps = std::min(sm.max_warps, sm.max_threads / sm.warp_size);

    Occupancy o;
    if (threads > sm.max_threads_per_block) {
        o.by_warps = 0;
        o.problem =
            fmt::format("has {} threads per block, a block can have {}", threads, sm.max_threads_per_block);
    } else {
        o.by_warps = static_cast<int>(max_warps / warps_per_block);
    }
    o.by_blocks = sm.max_blocks;
    const auto take = [&o](const Limit& limit, std::optional<int>& to) {
        to = limit.blocks;
        if (o.problem.empty()) o.problem = limit.problem;
    };
    if (launch.registers && *launch.registers > 0) {
        take(by_registers(*launch.registers, warps_per_block, sm), o.by_registers);
    }
    if (sgprs && *sgprs > 0 && sm.sgprs > 0) take(by_sgprs(*sgprs, warps_per_block, sm), o.by_sgprs);
    const std::optional<std::int64_t> smem = smem_of(launch);
    if (smem && sm.smem > 0) take(by_smem(*smem, sm), o.by_smem);

    const std::pair<const char*, std::optional<int>> limits[] = {{"warps", o.by_warps},
                                                                 {"blocks", o.by_blocks},
                                                                 {"registers", o.by_registers},
                                                                 {"scalar registers", o.by_sgprs},
                                                                 {"shared memory", o.by_smem}};
    int least = std::numeric_limits<int>::max();
    for (const auto& [name, blocks] : limits) least = std::min(least, blocks.value_or(least));
    for (const auto& [name, blocks] : limits) {
        if (blocks == least) o.limiters.emplace_back(name);
    }
    o.blocks_per_sm = least;
    o.warps_per_sm = static_cast<int>(least * warps_per_block);
    o.fraction = static_cast<double>(o.warps_per_sm) / max_warps;
    if (least > 0 && machine.sm_count > 0) {
        o.waves = static_cast<double>(launch.blocks()) / (static_cast<double>(least) * machine.sm_count);
    }
    return o;
}

}  // namespace kprof
