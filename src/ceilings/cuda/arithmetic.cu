// Vector pipes and the special-function pipe: chains of one instruction in registers, enough of them in every
// thread that none waits for its own last result.
#include "ceilings/cuda/loops.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof::loops {
namespace {

constexpr int threads = 256, chains = 8, unrolled = 16;

// x = x * a + b stays between its inputs and b / (1 - a); packed types do two of these an instruction.
template <Arithmetic kind>
struct Op;
template <>
struct Op<Arithmetic::fp64> {
    using T = double;
    static __device__ T start(int i) { return 0.25 + 1e-4 * i; }
    static __device__ T step(T x, T a, T b) { return fma(x, a, b); }
};
template <>
struct Op<Arithmetic::fp32> {
    using T = float;
    static __device__ T start(int i) { return 0.25f + 1e-4f * static_cast<float>(i); }
    static __device__ T step(T x, T a, T b) { return fmaf(x, a, b); }
};
template <>
struct Op<Arithmetic::fp16> {
    using T = unsigned;  // two halves
    static __device__ T start(int i) { return 0x34003400u + static_cast<unsigned>(i) * 0x10001u; }
    static __device__ T step(T x, T a, T b) {
        asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        return x;
    }
};
template <>
struct Op<Arithmetic::bf16> {
    using T = unsigned;
    static __device__ T start(int i) { return 0x3E803E80u + static_cast<unsigned>(i & 63) * 0x10001u; }
    static __device__ T step(T x, T a, T b) {
        asm("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        return x;
    }
};
// One instruction of the pipe each: .ftz spares the scaling of denormals. The negation is part of the operand
// and keeps 2^-x between 0 and 1.
template <>
struct Op<Arithmetic::ex2> {
    using T = float;
    static __device__ T start(int i) { return 0.25f + 1e-4f * static_cast<float>(i); }
    static __device__ T step(T x, T, T) {
        asm("{\n.reg .f32 minus;\nneg.ftz.f32 minus, %0;\nex2.approx.ftz.f32 %0, minus;\n}" : "+f"(x));
        return x;
    }
};
template <>
struct Op<Arithmetic::sin> {
    using T = float;
    static __device__ T start(int i) { return 0.25f + 1e-4f * static_cast<float>(i); }
    static __device__ T step(T x, T, T) {
        asm("sin.approx.ftz.f32 %0, %0;" : "+f"(x));
        return x;
    }
};

template <Arithmetic kind>
__global__ void __launch_bounds__(threads)
    arithmetic_loop(int iterations, typename Op<kind>::T a, typename Op<kind>::T b, unsigned* sink) {
    using T = typename Op<kind>::T;
    T x[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = Op<kind>::start(static_cast<int>(threadIdx.x) * chains + c);
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
        for (int u = 0; u < unrolled; ++u) {
#pragma unroll
            for (int c = 0; c < chains; ++c) x[c] = Op<kind>::step(x[c], a, b);
        }
    }
    bool odd = false;
#pragma unroll
    for (int c = 0; c < chains; ++c) odd = odd || x[c] == static_cast<T>(12345);
    if (odd) *sink = 1;
}

template <Arithmetic kind>
void launch(int blocks, int iterations, typename Op<kind>::T a, typename Op<kind>::T b, unsigned* sink) {
    arithmetic_loop<kind><<<blocks, threads>>>(iterations, a, b, sink);
    check_launch("arithmetic_loop");
}

}  // namespace

void arithmetic(Arithmetic kind, int blocks, int iterations, unsigned* sink) {
    switch (kind) {
        case Arithmetic::fp64:
            return launch<Arithmetic::fp64>(blocks, iterations, 0.999, 0.0003, sink);
        case Arithmetic::fp32:
            return launch<Arithmetic::fp32>(blocks, iterations, 0.999f, 0.0003f, sink);
        case Arithmetic::fp16:  // 0.998, 0.0005
            return launch<Arithmetic::fp16>(blocks, iterations, 0x3BFC3BFCu, 0x10191019u, sink);
        case Arithmetic::bf16:  // 0.992, 0.002
            return launch<Arithmetic::bf16>(blocks, iterations, 0x3F7E3F7Eu, 0x3B033B03u, sink);
        case Arithmetic::ex2:
            return launch<Arithmetic::ex2>(blocks, iterations, 0, 0, sink);
        case Arithmetic::sin:
            return launch<Arithmetic::sin>(blocks, iterations, 0, 0, sink);
    }
}

double arithmetic_work(Arithmetic kind, int blocks, int iterations) {
    const double steps = static_cast<double>(blocks) * threads * chains * unrolled * iterations;
    if (kind == Arithmetic::ex2 || kind == Arithmetic::sin) return steps;
    const bool packed = kind == Arithmetic::fp16 || kind == Arithmetic::bf16;
    return steps * (packed ? 4 : 2);
}

}  // namespace kprof::loops
