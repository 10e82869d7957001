// Grid and block of a launch, computed in one place for the launch itself and for the facts that the model
// source reads. C++17 and light: every .cu includes it.
#pragma once

#include <cstdint>

namespace kprof {

struct Geometry {
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    std::int64_t smem_static = 0;   // bytes per block
    std::int64_t smem_dynamic = 0;  // bytes per block, given at the launch
};

// One block per tile of an m × n result: columns on x, rows on y. A grid's y ends at 65,535, so taller
// results go on in z; the kernel's row tile is blockIdx.z * gridDim.y + blockIdx.y.
inline Geometry tile_geometry(std::int64_t m, std::int64_t n, std::int64_t tile_m, std::int64_t tile_n,
                              std::uint32_t block_x, std::uint32_t block_y, std::int64_t smem_static) {
    constexpr std::int64_t max_y = 65535;
    const std::int64_t rows = (m + tile_m - 1) / tile_m;
    const std::int64_t layers = (rows + max_y - 1) / max_y;
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>((n + tile_n - 1) / tile_n);
    g.grid[1] = static_cast<std::uint32_t>((rows + layers - 1) / layers);
    g.grid[2] = static_cast<std::uint32_t>(layers);
    g.block[0] = block_x;
    g.block[1] = block_y;
    g.smem_static = smem_static;
    return g;
}

// `threads` threads in all, in blocks of `block` on x. Extents end at 2^31-1, so x is always wide enough.
inline Geometry line_geometry(std::int64_t threads, std::uint32_t block) {
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>((threads + block - 1) / block);
    g.block[0] = block;
    return g;
}

#if defined(__CUDACC__) || defined(__HIP__)
inline dim3 grid_of(const Geometry& g) {
    return dim3(g.grid[0], g.grid[1], g.grid[2]);
}
inline dim3 block_of(const Geometry& g) {
    return dim3(g.block[0], g.block[1], g.block[2]);
}
#endif

}  // namespace kprof
