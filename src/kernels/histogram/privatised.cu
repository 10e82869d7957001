// Each block counts in shared memory and adds its counts to the global ones once. 32 copies of each counter,
// one a bank, keep the lanes of a warp out of each other's way. What is left is waiting: DRAM
// is 74 % busy on an H200.
#include "kernels/support/histogram_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/histogram_keys.cuh"
#endif

namespace kprof {
namespace {

constexpr int copies = 32;
static_assert(histogram_threads == histogram_bins,
              "a thread clears and adds up as many counters as a bin has");

Geometry geometry(const Call& call) {
    return histogram_geometry(call, histogram_bins * copies * 4);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(histogram_threads)
    histogram_privatised(const unsigned* keys, unsigned* counts, std::int64_t n) {
    __shared__ unsigned count[histogram_bins * copies];
    const int t = static_cast<int>(threadIdx.x), lane = t % copies;
    for (int i = 0; i < copies; ++i) count[i * histogram_threads + t] = 0;
    __syncthreads();
    for_each_bin(keys, n, [&](unsigned bin) { atomicAdd(count + bin * copies + lane, 1U); });
    __syncthreads();
    // A thread adds up the copies of its bin, beginning with its lane's, so that the banks stay apart.
    unsigned sum = 0;
    for (int i = 0; i < copies; ++i) sum += count[t * copies + (lane + i) % copies];
    atomicAdd(counts + t, sum);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    clear_counts(call);
    histogram_privatised<<<grid_of(g), block_of(g)>>>(call.as<const unsigned>(histogram_keys),
                                                      call.as<unsigned>(histogram_counts), call.extent[0]);
    check_launch("histogram_privatised");
}
#endif

static Variant variant() {
    Variant v = histogram_variant();
    v.name = "privatised";
    v.title = "counters in shared memory, added up once a block";
    v.expected = "latency";
    v.rung = 2;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
