// One atomic addition for each number, 64 sums in all, and each warp adds to one of them: the additions to
// one address wait for each other in L2, however much bandwidth there is.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/reduce_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;

Geometry geometry(const Call& call) {
    return line_geometry((call.extent[0] + 3) / 4, threads);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    reduce_atomic_element(const float* x, float* sums, std::int64_t n) {
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
    float* sum = sums + thread / warp_size % atomic_sums * floats_between_sums;
    if (4 * thread >= n) return;
    const float4 v = four_at(x, thread, n);
    atomicAdd(sum, v.x);
    atomicAdd(sum, v.y);
    atomicAdd(sum, v.z);
    atomicAdd(sum, v.w);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    reduce_atomic_element<<<grid_of(g), block_of(g)>>>(call.as<const float>(reduce_in),
                                                       call.as<float>(reduce_partial), call.extent[0]);
    check_launch("reduce_atomic_element");
    add_atomic_sums(call);
}
#endif

static Variant variant() {
    Variant v = reduce_variant();
    v.name = "atomic-element";
    v.title = "one atomic addition an element, to 64 sums";
    v.expected = "atomics";
    v.twin = "atomic-block";
    v.rung = 3;
    // A sum grows by millions of small steps, each rounded at the size that it has reached.
    v.tolerance = 1e-3;
    v.buffers.push_back({"sums", atomic_sum_count, Element::fp32, Role::zeroed});
    v.geometry = geometry;
    v.launches = atomic_launches;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
