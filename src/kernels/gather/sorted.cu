// The same rows as random-narrow, looked up in the order of the table: the lanes of a warp share their
// sectors, and memory moves little else than what is wanted.
#include "kernels/support/gather_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/gather_narrow.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <int width>
__global__ void gather_sorted(const float* table, const int* index, float* out, std::int64_t tokens) {
    gather_rows<width>(table, index, out, tokens);
}

static void launch(const Call& call) {
    const GatherShape s = gather_shape(call);
    const Geometry g = gather_narrow_geometry(call);
    const auto kernel = s.width == 1 ? gather_sorted<1> : s.width == 2 ? gather_sorted<2> : gather_sorted<4>;
    kernel<<<grid_of(g), block_of(g)>>>(call.as<const float>(gather_table), call.as<const int>(gather_index),
                                        call.as<float>(gather_out), s.tokens);
    check_launch("gather_sorted");
}
#endif

static Variant variant() {
    Variant v = gather_variant();
    v.name = "sorted";
    v.title = "the same rows in the order of the table";
    v.expected = "latency";
    v.rung = 2;
    v.geometry = gather_narrow_geometry;
    v.refuses = gather_narrow_refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.prepare = gather_prepare_sorted;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
