// What the variants of pipes share: extents n (results) and steps, and maps that are applied `steps` times to
// a value in a register, one result per thread, so that one arithmetic pipe is all that matters. Every map
// keeps what it was given (it mirrors, turns or damps slowly): what a thread started with is still seen in
// its result, and rounding does not grow out of bounds.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum PipesExtent { pipes_n, pipes_steps };
// Order of the buffers: x where there is one, then out (then what a variant adds).
enum PipesBuffer { pipes_x, pipes_out };

constexpr int pipes_block = 256;

// One thread per element.
Geometry pipes_geometry(const Call& call);

// x -> a x + b with a = -1: mirrored around b / 2 in every step. Only the host knows that a is -1; to the
// device it is a multiply-add like any other. 2 FLOPs.
struct Mirror {
    float a, b;
};
constexpr Mirror pipes_mirror = {-1, 0.5F};

// z -> w z + c for complex numbers with |w| = 1: a turn by one radian around c / (1 - w). 8 FLOPs.
struct Turn {
    float cosine, sine, c_re, c_im;
};
// A thread turns two numbers, `i` and `i` + half of n: the constants of both stay in the operand caches,
// which one alone leaves to the register file (45 instead of 63 TFLOP/s on an H200).
Geometry pipes_turn_geometry(const Call& call);
inline Turn pipes_turn() {
    return {static_cast<float>(std::cos(1.0)), static_cast<float>(std::sin(1.0)), 0.75F, -0.25F};
}

// The sum of sin t + cos t over angles t that decay slowly from x in [-1, 1). 5 FLOPs a step, sine and cosine
// counted as one each.
inline float pipes_decay(std::int64_t steps) {
    return static_cast<float>(1 - 0.5 / static_cast<double>(steps));
}

// Multiply-with-carry: x -> (x mod d) m + x / d, a random number generator that stays below d m < 2^32. The
// start is the thread's own number (plus 1, as 0 stays 0).
struct Carry {
    std::uint32_t divisor, multiplier;
};
constexpr Carry pipes_carry = {65521, 65000};
// x / divisor = (x * magic) >> (32 + shift) for every 32-bit x: magic is 2^(32 + shift) / divisor rounded up,
// and what rounding added must be at most 2^shift (Granlund and Montgomery 1994, theorem 4.2).
constexpr std::uint32_t pipes_shift = 15;
constexpr std::uint64_t pipes_power = std::uint64_t{1} << (32 + pipes_shift);
constexpr std::uint64_t pipes_magic = (pipes_power + pipes_carry.divisor - 1) / pipes_carry.divisor;
static_assert(pipes_magic < (std::uint64_t{1} << 32), "magic must be a 32-bit number");
static_assert(pipes_magic * pipes_carry.divisor - pipes_power <= (std::uint64_t{1} << pipes_shift),
              "the product must be exact for every 32-bit number");
static_assert(std::uint64_t{pipes_carry.divisor} * pipes_carry.multiplier < (std::uint64_t{1} << 32) &&
                  std::uint64_t{pipes_carry.divisor} * pipes_carry.multiplier > (std::uint64_t{1} << 31),
              "the start is any extent, and numbers stay 32 bits long");

// Everything but name, title, label and launch. The task decides buffers, FLOPs and reference.
Variant pipes_mirror_variant();  // FP32: x, out
Variant pipes_turn_variant();    // FP32: x, out (the real part; the imaginary one starts at 0)
Variant pipes_angle_variant();   // FP32: x, out
Variant pipes_carry_variant();   // uint32: out
Variant pipes_half_variant();    // FP16: x, out

enum PipesCarryBuffer { pipes_carry_out };

#ifdef KPROF_WITH_CUDA
void pipes_mirror_reference(const ReferenceCall& call);
void pipes_turn_reference(const ReferenceCall& call);
void pipes_angle_reference(const ReferenceCall& call);
void pipes_carry_reference(const ReferenceCall& call);
void pipes_half_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
