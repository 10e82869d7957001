// A Geometry as the profile's Launch.
#pragma once

#include "core/profile.hpp"
#include "kernels/support/geometry.hpp"

namespace kprof {

// Registers stay unknown: they are the compiler's choice and read from the device when there is one.
inline Launch launch_facts(const Geometry& g) {
    Launch launch;
    launch.grid = {g.grid[0], g.grid[1], g.grid[2]};
    launch.block = {g.block[0], g.block[1], g.block[2]};
    launch.smem_static = g.smem_static;
    launch.smem_dynamic = g.smem_dynamic;
    return launch;
}

}  // namespace kprof
