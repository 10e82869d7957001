// Rows of 4 to 16 bytes in random order: each lane brings in a sector of 32 bytes (and DRAM a burst of 64)
// for the few that it wants, and the rest has left the caches before another lane asks for it.
#include "kernels/support/gather_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/gather_narrow.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <int width>
__global__ void gather_random_narrow(const float* table, const int* index, float* out, std::int64_t tokens) {
    gather_rows<width>(table, index, out, tokens);
}

static void launch(const Call& call) {
    const GatherShape s = gather_shape(call);
    const Geometry g = gather_narrow_geometry(call);
    const auto kernel = s.width == 1   ? gather_random_narrow<1>
                        : s.width == 2 ? gather_random_narrow<2>
                                       : gather_random_narrow<4>;
    kernel<<<grid_of(g), block_of(g)>>>(call.as<const float>(gather_table), call.as<const int>(gather_index),
                                        call.as<float>(gather_out), s.tokens);
    check_launch("gather_random_narrow");
}
#endif

static Variant variant() {
    Variant v = gather_variant();
    v.name = "random-narrow";
    v.title = "rows of a few bytes in random order";
    v.expected = "coalescing";
    v.twin = "sorted";
    v.rung = 1;
    v.geometry = gather_narrow_geometry;
    v.refuses = gather_narrow_refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
