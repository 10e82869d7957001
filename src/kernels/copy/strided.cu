// out = a, where neighbouring threads touch elements 128 bytes apart: every lane moves a sector of 32 bytes
// for the 4 that it wants, and the rest of the line is asked for again a whole pass over the array later,
// when no cache holds it any more.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

namespace kprof {
namespace {

constexpr std::int64_t distance = 32;  // elements

// Blocks on x walk the array from front to back in steps of `distance`; y is the pass, and its first element.
Geometry geometry(const Call& call) {
    Geometry g = line_geometry((call.extent[0] + distance - 1) / distance, stream_threads);
    g.grid[1] = distance;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void copy_strided(const float* a, float* out, std::int64_t n) {
    const std::int64_t step = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t i = step * distance + blockIdx.y;
    if (i < n) out[i] = a[i];
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    copy_strided<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1), call.extent[0]);
    check_launch("copy_strided");
}
#endif

static Variant variant() {
    Variant v = copy_variant();
    v.name = "strided";
    v.title = "out = a, neighbouring threads 128 bytes apart";
    v.expected = "coalescing";
    v.twin = "scalar";
    v.rung = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
