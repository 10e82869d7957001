// Shape of the launch of the flash kernels with TMA and WGMMA (attention_wgmma.cuh).
#pragma once

#include "kernels/support/attention_family.hpp"

namespace kprof {

// What a block works on. Three warpgroups of 64 rows and the producer's share the registers: 160 a thread for
// the three, which just hold a tile of scores, its weights in BF16, and the rows of O.
template <int depth_>
struct FlashTile {
    static constexpr int depth = depth_, consumers = 3, group_rows = 64, rows = consumers * group_rows;
    static constexpr int keys = 128;
    static constexpr int stages = 2;  // tiles of K and of V that are there or on their way
    static constexpr int group_threads = 128, threads = (consumers + 1) * group_threads;
    static constexpr int producer_registers = 32, consumer_registers = 160;  // a thread
    static constexpr int q_bytes = rows * depth * 2, k_bytes = keys * depth * 2;
    // 1,024 more, to begin at a multiple of them.
    static constexpr int shared_bytes = q_bytes + 2 * stages * k_bytes + 1024;
};

template <typename T>
Geometry flash_wgmma_geometry_of(const AttentionShape& s) {
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>((s.queries + T::rows - 1) / T::rows * s.batch * s.heads);
    g.block[0] = T::threads;
    g.smem_dynamic = T::shared_bytes;
    return g;
}

inline Geometry flash_wgmma_geometry(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return s.depth == 64 ? flash_wgmma_geometry_of<FlashTile<64>>(s)
                         : flash_wgmma_geometry_of<FlashTile<128>>(s);
}

}  // namespace kprof
