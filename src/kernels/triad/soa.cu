// x + factor * vx of particles that lie in memory as one array a member: only the two members that are needed
// move. What is left to gain is the width of the loads.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void triad_soa(const float* x, const float* vx, float* out, float factor, std::int64_t n) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + factor * vx[i];
}

static void launch(const Call& call) {
    const Geometry g = scalar_geometry(call);
    const std::int64_t n = call.extent[0];
    const auto* members = call.as<const float>(0);
    triad_soa<<<grid_of(g), block_of(g)>>>(members + member_x * n, members + member_vx * n, call.as<float>(1),
                                           stream_factor, n);
    check_launch("triad_soa");
}
#endif

static Variant variant() {
    Variant v = particle_variant();
    v.name = "soa";
    v.title = "x + factor * vx of eight arrays, one a member";
    v.expected = "latency";
    v.twin = "float4";
    v.rung = 2;
    v.geometry = scalar_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.reference = soa_reference;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
