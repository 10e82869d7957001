// Hopper's tensor cores by wgmma, both operands in shared memory, random: two warpgroups an SM, each with its
// own A (64 rows), share B (256 columns). k is 32 bytes an instruction whatever the type, so that one layout
// serves all: rows of 128 bytes in the 128-byte swizzle, as TMA would write them.
#include "ceilings/cuda/loops.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof::loops {
namespace {

constexpr int warpgroups = 2, threads = warpgroups * 128;
constexpr int rows = 64, columns = 256, row_bytes = 128, steps = row_bytes / 32, unrolled = 2;

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
template <Matrix type>
struct Instruction;
// What stands behind the operands: use the sums; signs of A and B; transpositions.
#define KPROF_WGMMA(type, name, flags)        \
    template <>                               \
    struct Instruction<Matrix::type> {        \
        static constexpr char text[] = name;  \
        static constexpr char tail[] = flags; \
    };
KPROF_WGMMA(tf32, "m64n256k8.f32.tf32.tf32", "add, 1, 1")
KPROF_WGMMA(bf16, "m64n256k16.f32.bf16.bf16", "add, 1, 1, 0, 0")
KPROF_WGMMA(fp16, "m64n256k16.f32.f16.f16", "add, 1, 1, 0, 0")
KPROF_WGMMA(fp8, "m64n256k32.f32.e4m3.e4m3", "add, 1, 1")
KPROF_WGMMA(int8, "m64n256k32.s32.s8.s8", "add")
#undef KPROF_WGMMA

// Address, leading and stride offsets in units of 16 bytes; bit 62: the 128-byte swizzle.
__device__ std::uint64_t descriptor(const void* tile) {
    const std::uint64_t address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    return 1ULL << 62 | static_cast<std::uint64_t>(8 * row_bytes / 16) << 32 | 1ULL << 16 |
           (address & 0x3FFFF) / 16;
}

// clang-format off
#define KPROF_8(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]), "+r"(d[i + 5]), "+r"(d[i + 6]), "+r"(d[i + 7])
#define KPROF_32(i) KPROF_8(i), KPROF_8(i + 8), KPROF_8(i + 16), KPROF_8(i + 24)
template <Matrix type>
__device__ void multiply(unsigned (&d)[128], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.eq.u32 add, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.%130 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
        "}, %128, %129, %131;\n}"
        : KPROF_32(0), KPROF_32(32), KPROF_32(64), KPROF_32(96)
        : "l"(a), "l"(b), "C"(Instruction<type>::text), "C"(Instruction<type>::tail));
}
#undef KPROF_32
#undef KPROF_8
// clang-format on
#endif

template <Matrix type>
__global__ void __launch_bounds__(threads, 1)
    wgmma_loop(const unsigned* __restrict__ random, int iterations, unsigned* sink, unsigned* done) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ alignas(1024) unsigned a[warpgroups][rows * row_bytes / 4];
    __shared__ alignas(1024) unsigned b[columns * row_bytes / 4];
    for (unsigned i = threadIdx.x; i < sizeof(a) / 4; i += threads) a[0][i] = random[i];
    for (unsigned i = threadIdx.x; i < sizeof(b) / 4; i += threads) b[i] = random[sizeof(a) / 4 + i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned d[128];
#pragma unroll
    for (int i = 0; i < 128; ++i) d[i] = 0;
    const std::uint64_t from_a = descriptor(a[threadIdx.x / 128]), from_b = descriptor(b);
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int s = 0; s < unrolled * steps; ++s)
            multiply<type>(d, from_a + 2 * (s % steps), from_b + 2 * (s % steps));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // The group before this one: the tensor cores never run dry.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    unsigned all = 0;
#pragma unroll
    for (int i = 0; i < 128; ++i) {
        asm volatile("" : "+r"(d[i])::"memory");  // not before the wait
        all ^= d[i];
    }
    if (all == 0x9E3779B9u) *sink = all;
    if (blockIdx.x == 0 && threadIdx.x == 0) *done = 1;
#endif
}

}  // namespace

void wgmma(Matrix type, int blocks, int iterations, const void* random, unsigned* sink, unsigned* done) {
    const auto* words = static_cast<const unsigned*>(random);
    switch (type) {
        case Matrix::fp64:  // wgmma has no FP64
            return;
        case Matrix::tf32:
            wgmma_loop<Matrix::tf32><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::bf16:
            wgmma_loop<Matrix::bf16><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::fp16:
            wgmma_loop<Matrix::fp16><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::fp8:
            wgmma_loop<Matrix::fp8><<<blocks, threads>>>(words, iterations, sink, done);
            break;
        case Matrix::int8:
            wgmma_loop<Matrix::int8><<<blocks, threads>>>(words, iterations, sink, done);
            break;
    }
    check_launch("wgmma_loop");
}

double wgmma_work(Matrix type, int blocks, int iterations) {
    const double k = type == Matrix::tf32 ? 8 : type == Matrix::fp8 || type == Matrix::int8 ? 32 : 16;
    return 2.0 * rows * columns * k * blocks * warpgroups * iterations * unrolled * steps;
}

}  // namespace kprof::loops
