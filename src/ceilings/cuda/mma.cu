// Tensor cores by mma.sync: a warp's fragments stay in registers, eight independent accumulators hide the
// latency. Works from sm_80 on; on Hopper this path has fewer operand ports than wgmma and stays below the
// peak.
#include "ceilings/cuda/loops.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof::loops {
namespace {

constexpr int threads = 256, sums = 8, unrolled = 4;

// Which of them this chip's code has.
template <Matrix type, int arch>
constexpr bool has = arch >= (type == Matrix::fp8 ? 890 : 800);

#if defined(__CUDA_ARCH__)
template <Matrix type>
struct Instruction;
#define KPROF_MMA(type, name)                \
    template <>                              \
    struct Instruction<Matrix::type> {       \
        static constexpr char text[] = name; \
    };
KPROF_MMA(tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
KPROF_MMA(bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
KPROF_MMA(fp16, "m16n8k16.row.col.f32.f16.f16.f32")
KPROF_MMA(int8, "m16n8k32.row.col.s32.s8.s8.s32")
#if __CUDA_ARCH__ >= 890
KPROF_MMA(fp8, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
#endif
#undef KPROF_MMA

// All these types have the same fragments: 4 registers of A, 2 of B, 4 sums.
template <Matrix type>
__device__ void multiply(unsigned (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.%10 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "C"(Instruction<type>::text));
}
#endif

template <Matrix type>
__global__ void __launch_bounds__(threads)
    mma_loop(const unsigned* __restrict__ random, int iterations, unsigned* sink, unsigned* done) {
#if defined(__CUDA_ARCH__)
    if constexpr (has<type, __CUDA_ARCH__>) {
        unsigned a[2][4], b[4][2], d[sums][4] = {};
        const unsigned* mine = random + threadIdx.x * 16;
#pragma unroll
        for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = mine[i];
#pragma unroll
        for (int i = 0; i < 8; ++i) b[i / 2][i % 2] = mine[8 + i];
#pragma unroll 1
        for (int i = 0; i < iterations; ++i) {
#pragma unroll
            for (int u = 0; u < unrolled; ++u) {
#pragma unroll
                for (int s = 0; s < sums; ++s) multiply<type>(d[s], a[s % 2], b[s / 2]);
            }
        }
        unsigned all = 0;
#pragma unroll
        for (int s = 0; s < sums; ++s) all ^= d[s][0] ^ d[s][1] ^ d[s][2] ^ d[s][3];
        if (all == 0x9E3779B9u) *sink = all;
        if (blockIdx.x == 0 && threadIdx.x == 0) *done = 1;
    }
#endif
}

// FP64: Hopper's full rate takes the larger shape, which Ampere does not have.
__global__ void __launch_bounds__(threads)
    dmma_loop(const double* __restrict__ random, int iterations, unsigned* sink, unsigned* done) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    constexpr bool large = __CUDA_ARCH__ >= 900;
    constexpr int a_count = large ? 8 : 1, b_count = large ? 4 : 1, d_count = large ? 4 : 2;
    double a[a_count], b[b_count], d[sums][d_count] = {};
    const double* mine = random + threadIdx.x * 16;
#pragma unroll
    for (int i = 0; i < a_count; ++i) a[i] = mine[i];
#pragma unroll
    for (int i = 0; i < b_count; ++i) b[i] = mine[8 + i];
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
        for (int u = 0; u < unrolled; ++u) {
#pragma unroll
            for (int s = 0; s < sums; ++s) {
#if __CUDA_ARCH__ >= 900
                asm volatile(
                    "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, "
                    "%8, %9, "
                    "%10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                    : "+d"(d[s][0]), "+d"(d[s][1]), "+d"(d[s][2]), "+d"(d[s][3])
                    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                      "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
                asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                             : "+d"(d[s][0]), "+d"(d[s][1])
                             : "d"(a[0]), "d"(b[0]));
#endif
            }
        }
    }
    double all = 0;
#pragma unroll
    for (int s = 0; s < sums; ++s) all += d[s][0] + d[s][1];
    if (all == 12345.0) *sink = 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) *done = large ? 2 : 1;
#endif
}

__global__ void bytes_loop(unsigned* data, std::int64_t words, unsigned seed) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= words) return;
    unsigned x = static_cast<unsigned>(i) * 0x9E3779B9u + seed;  // a 32-bit mix by multiplications and shifts
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    data[i] = x ^ (x >> 16);
}

}  // namespace

void mma_sync(Matrix type, int blocks, int iterations, const void* random, unsigned* sink, unsigned* done) {
    const auto* words = static_cast<const unsigned*>(random);
    switch (type) {
        case Matrix::fp64:
            dmma_loop<<<blocks, threads>>>(static_cast<const double*>(random), iterations, sink, done);
            break;
        case Matrix::tf32:
            mma_loop<Matrix::tf32><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::bf16:
            mma_loop<Matrix::bf16><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::fp16:
            mma_loop<Matrix::fp16><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::fp8:
            mma_loop<Matrix::fp8><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::int8:
            mma_loop<Matrix::int8><<<blocks, threads>>>(words, iterations, sink, done);
            break;
    }
    check_launch("mma_loop");
}

double mma_sync_work(Matrix type, bool large_fp64, int blocks, int iterations) {
    double one = 2.0 * 16 * 8 * 16;
    if (type == Matrix::tf32) one /= 2;
    if (type == Matrix::fp8 || type == Matrix::int8) one *= 2;
    if (type == Matrix::fp64 && !large_fp64) one = 2.0 * 8 * 8 * 4;
    return one * blocks * (threads / 32) * iterations * unrolled * sums;
}

void random_bytes(void* data, std::int64_t bytes, std::uint32_t seed) {
    const std::int64_t words = bytes / 4;
    bytes_loop<<<static_cast<unsigned>((words + 255) / 256), 256>>>(static_cast<unsigned*>(data), words,
                                                                    seed);
    check_launch("bytes_loop");
}

}  // namespace kprof::loops
