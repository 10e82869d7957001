// Multiply-with-carry random numbers whose base is known only at run time. There is no instruction for
// division: quotient and remainder take a dozen integer instructions a step, although the compiler computes
// the reciprocal of the base only once.
#include "kernels/support/pipes_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
__global__ void pipes_integer_division(std::uint32_t* out, std::int64_t n, int steps, Carry c) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    std::uint32_t x = static_cast<std::uint32_t>(i) + 1;
#pragma unroll 4
    for (int s = 0; s < steps; ++s) x = x % c.divisor * c.multiplier + x / c.divisor;
    out[i] = x;
}

static void launch(const Call& call) {
    const Geometry g = pipes_geometry(call);
    pipes_integer_division<<<grid_of(g), block_of(g)>>>(
        call.as<std::uint32_t>(pipes_carry_out), call.extent[pipes_n],
        static_cast<int>(call.extent[pipes_steps]), pipes_carry);
    check_launch("pipes_integer_division");
}
#endif

static Variant variant() {
    Variant v = pipes_carry_variant();
    v.name = "integer-division";
    v.title = "quotient and remainder by a run-time divisor";
    v.expected = "integer_arithmetic";
    v.twin = "integer-multiply";
    v.rung = 8;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
