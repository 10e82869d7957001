// Shape of the launch of the flash kernels with mma.sync (attention_flash.cuh).
#pragma once

#include "kernels/support/attention_family.hpp"

namespace kprof {

// Which keys are hidden, and what that saves.
enum class AttentionMask {
    none,
    per_element,  // causal; every tile is loaded and multiplied, then compared element by element
    per_tile      // causal; tiles that no row sees are left out, and only tiles on the diagonal are compared
};

constexpr int flash_warps = 4, flash_threads = flash_warps * 32;
constexpr int flash_strips = 2;  // of 16 rows, a warp: K and V are read once for both
constexpr int flash_rows = flash_warps * flash_strips * 16;
constexpr int flash_keys = 64;  // in a tile

constexpr int flash_shared_bytes(std::int64_t depth) {
    return static_cast<int>((flash_rows + 4 * flash_keys) * (depth + tile_padding) * 2);
}

inline Geometry flash_geometry(const Call& call) {
    const AttentionShape s = attention_shape(call);
    const std::int64_t tiles = (s.queries + flash_rows - 1) / flash_rows;
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>(tiles * s.heads * s.batch);
    g.block[0] = flash_threads;
    g.smem_dynamic = flash_shared_bytes(s.depth);
    return g;
}

}  // namespace kprof
