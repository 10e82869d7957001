// out = a, every warp one element off its 128-byte line: five sectors a request in place of four. A trap: the
// sector that two warps share is asked for twice, but comes from DRAM once, so that this costs 6 % on an
// H200, and the narrow loads (4 bytes a thread) still cost 40 %.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
// Thread i copies element i + 1; the last thread turns back to element 0.
__global__ void copy_offset(const float* a, float* out, std::int64_t n) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const std::int64_t at = i + 1 < n ? i + 1 : 0;
    out[at] = a[at];
}

static void launch(const Call& call) {
    const Geometry g = scalar_geometry(call);
    copy_offset<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1), call.extent[0]);
    check_launch("copy_offset");
}
#endif

static Variant variant() {
    Variant v = copy_variant();
    v.name = "offset";
    v.title = "out = a, warps one element off their line: 5 sectors for 4, which the caches absorb";
    v.expected = "latency";
    v.twin = "float4";
    v.rung = 2;
    v.geometry = scalar_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
