// One atomic addition in global memory for each key. The 256 counters lie in eight lines, so that a few
// slices of L2 do all the work and the rest of the chip waits for them.
#include "kernels/support/histogram_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/histogram_keys.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return histogram_geometry(call, 0);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(histogram_threads)
    histogram_global(const unsigned* keys, unsigned* counts, std::int64_t n) {
    for_each_bin(keys, n, [=](unsigned bin) { atomicAdd(counts + bin, 1U); });
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    clear_counts(call);
    histogram_global<<<grid_of(g), block_of(g)>>>(call.as<const unsigned>(histogram_keys),
                                                  call.as<unsigned>(histogram_counts), call.extent[0]);
    check_launch("histogram_global");
}
#endif

static Variant variant() {
    Variant v = histogram_variant();
    v.name = "global";
    v.title = "one atomic addition in global memory a key";
    v.expected = "atomics";
    v.twin = "privatised";
    v.rung = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
