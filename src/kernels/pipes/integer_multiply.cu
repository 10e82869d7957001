// The random numbers of integer-division with what every division by the same number needs computed once: the
// quotient is the upper half of a product, shifted, the remainder a multiplication more.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_integer_multiply(std::uint32_t* out, std::int64_t n, int steps, Carry c,
                                       std::uint32_t magic, std::uint32_t shift) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    std::uint32_t x = static_cast<std::uint32_t>(i) + 1;
#pragma unroll 16
    for (int s = 0; s < steps; ++s) {
        const std::uint32_t quotient = __umulhi(x, magic) >> shift;
        x = (x - quotient * c.divisor) * c.multiplier + quotient;
    }
    out[i] = x;
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    pipes_integer_multiply<<<grid_of(g), block_of(g)>>>(
        call.as<std::uint32_t>(pipes_carry_out), call.extent[pipes_n],
        static_cast<int>(call.extent[pipes_steps]), pipes_carry, static_cast<std::uint32_t>(pipes_magic),
        pipes_shift);
    check_launch("pipes_integer_multiply");
}
#endif

static Variant variant() {
    Variant v = pipes_carry_variant();
    v.name = "integer-multiply";
    v.title = "quotient and remainder by precomputed multiplication and shift";
    v.expected = "at_limit:fma";
    v.rung = 9;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
