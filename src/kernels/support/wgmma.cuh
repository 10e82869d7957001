// Hopper's tensor cores: wgmma, which a warpgroup (four warps, the first of them a multiple of four) issues
// and does not wait for. D (64 x n, FP32, in registers) += A (64 x 16) B (16 x n), where B is read from
// shared memory and A from there or from registers. Only device code for sm_90a may call these.
//
// How a thread holds D (warp w of the warpgroup, g = lane / 4, t = lane % 4): d[4j + 2h + c] is row
// 16w + g + 8h, column 8j + 2t + c. An A operand in registers: four of two elements each, rows g and g + 8 at
// columns 2t and 2t + 1, then both again at columns 2t + 8 and 2t + 9. Two neighbouring 8-columns of a D,
// rounded, are therefore an A: {d[8i], d[8i + 1]}, {d[8i + 2], d[8i + 3]}, {d[8i + 4], ...}, {d[8i + 6],
// ...}.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

namespace kprof::hopper {

// --- Where a tile of 2-byte elements lies in shared memory: as TMA writes it with the 128-byte swizzle, in
// boxes of 64 elements by r rows, each at a multiple of 1,024 bytes.
__device__ inline std::uint64_t matrix_descriptor(const void* p, int leading_bytes, int stride_bytes) {
    const std::uint64_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
    constexpr std::uint64_t swizzle_128 = 1ULL << 62;
    return swizzle_128 | static_cast<std::uint64_t>(stride_bytes / 16) << 32 |
           static_cast<std::uint64_t>(leading_bytes / 16) << 16 | (address & 0x3FFFF) / 16;
}
// The box's 64 elements run along k (A row-major, B column-major); its rows are rows of A, columns of B. The
// next 16 of k lie 32 bytes further: + k_major_step.
__device__ inline std::uint64_t k_major(const void* p) {
    return matrix_descriptor(p, 16, 1024);
}
constexpr std::uint64_t k_major_step = 32 / 16;
// The box's 64 elements run along m or n (A column-major, B row-major: the transposed kinds); its rows are k.
// The next 64 of m or n are the next box, `box_bytes` on. The next 16 of k lie 16 rows further.
__device__ inline std::uint64_t mn_major(const void* p, int box_bytes) {
    return matrix_descriptor(p, box_bytes, 1024);
}
constexpr std::uint64_t mn_major_step = 16 * 128 / 16;

// --- Order. fence(): before the first multiply() and after any other write to its registers. commit() closes
// a group; wait<n>() returns when at most n groups of this warp are under way. Until then D, and an A in
// registers, must not be touched, nor the shared memory written.
__device__ inline void fence() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int pending>
__device__ inline void wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}
// Holds the compiler from moving uses of D across fence() and wait().
template <int count>
__device__ inline void hold(float (&d)[count]) {
#pragma unroll
    for (int i = 0; i < count; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// The operands' type as instructions spell it.
template <typename T>
struct TypeName;
template <>
struct TypeName<__nv_bfloat16> {
    static constexpr char text[] = "bf16";
};
template <>
struct TypeName<__half> {
    static constexpr char text[] = "f16";
};

// Eight elements of D, d[8i] and on, rounded to T in shared memory: a warp's 16 rows, 16 columns. Lane l
// gives the address of row l % 16, from column 8 (l / 16) on: 16 bytes, aligned.
template <typename T>
__device__ inline void store_rounded(T* row, const float* d) {
    std::uint32_t pair[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        asm("cvt.rn.%3x2.f32 %0, %2, %1;"
            : "=r"(pair[i])
            : "f"(d[2 * i]), "f"(d[2 * i + 1]), "C"(TypeName<T>::text));
    }
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     static_cast<std::uint32_t>(__cvta_generic_to_shared(row))),
                 "r"(pair[0]), "r"(pair[1]), "r"(pair[2]), "r"(pair[3])
                 : "memory");
}

// --- multiply<T, transposed...>(d, a, b, add): D = A B + (add ? D : 0). transposed_a, transposed_b: the
// operand is MN-major. The width of D chooses the instruction.
// clang-format off
#define KPROF_OUT_8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define KPROF_OUT_32(i) KPROF_OUT_8(i), KPROF_OUT_8(i + 8), KPROF_OUT_8(i + 16), KPROF_OUT_8(i + 24)

template <typename T, bool transposed_a, bool transposed_b>
__device__ inline void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.%37.%37 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, add, 1, 1, %35, %36;\n}"
        : KPROF_OUT_32(0)
        : "l"(a), "l"(b), "r"(static_cast<int>(add)), "n"(transposed_a), "n"(transposed_b), "C"(TypeName<T>::text));
}
template <typename T, bool transposed_b>
__device__ inline void multiply(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.%39.%39 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, {%32, %33, %34, %35}, %36, add, 1, 1, %38;\n}"
        : KPROF_OUT_32(0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(transposed_b), "C"(TypeName<T>::text));
}

template <typename T, bool transposed_a, bool transposed_b>
__device__ inline void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.%69.%69 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, add, 1, 1, %67, %68;\n}"
        : KPROF_OUT_32(0), KPROF_OUT_32(32)
        : "l"(a), "l"(b), "r"(static_cast<int>(add)), "n"(transposed_a), "n"(transposed_b), "C"(TypeName<T>::text));
}
template <typename T, bool transposed_b>
__device__ inline void multiply(float (&d)[64], const std::uint32_t (&a)[4], std::uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.%71.%71 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, {%64, %65, %66, %67}, %68, add, 1, 1, %70;\n}"
        : KPROF_OUT_32(0), KPROF_OUT_32(32)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(transposed_b), "C"(TypeName<T>::text));
}

template <typename T, bool transposed_a, bool transposed_b>
__device__ inline void multiply(float (&d)[128], std::uint64_t a, std::uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.%133.%133 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
        "}, %128, %129, add, 1, 1, %131, %132;\n}"
        : KPROF_OUT_32(0), KPROF_OUT_32(32), KPROF_OUT_32(64), KPROF_OUT_32(96)
        : "l"(a), "l"(b), "r"(static_cast<int>(add)), "n"(transposed_a), "n"(transposed_b), "C"(TypeName<T>::text));
}
template <typename T, bool transposed_b>
__device__ inline void multiply(float (&d)[128], const std::uint32_t (&a)[4], std::uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %133, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.%135.%135 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
        "}, {%128, %129, %130, %131}, %132, add, 1, 1, %134;\n}"
        : KPROF_OUT_32(0), KPROF_OUT_32(32), KPROF_OUT_32(64), KPROF_OUT_32(96)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(transposed_b), "C"(TypeName<T>::text));
}
#undef KPROF_OUT_32
#undef KPROF_OUT_8
// clang-format on

}  // namespace kprof::hopper

#endif
