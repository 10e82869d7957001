// x + factor * vx of particles that lie in memory as structs of eight floats: a warp loads 32 sectors of 32
// bytes for two floats of each, and the six members that nobody asked for come along.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_variants.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
};
static_assert(sizeof(Particle) == particle_members * sizeof(float));

__global__ void triad_aos(const Particle* particles, float* out, float factor, std::int64_t n) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = particles[i].x + factor * particles[i].vx;
}

static void launch(const Call& call) {
    const Geometry g = scalar_geometry(call);
    triad_aos<<<grid_of(g), block_of(g)>>>(call.as<const Particle>(0), call.as<float>(1), stream_factor,
                                           call.extent[0]);
    check_launch("triad_aos");
}
#endif

static Variant variant() {
    Variant v = particle_variant();
    v.name = "aos";
    v.title = "x + factor * vx of an array of structs of eight floats";
    v.expected = "coalescing";
    v.twin = "soa";
    v.rung = 1;
    v.geometry = scalar_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.reference = aos_reference;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
