// The tensor cores of sm_80 and later as one warp uses them (mma.sync): operands in shared memory, read by
// ldmatrix, and sums of 16 × 8 in registers.
//
// How a warp holds a sum (g = lane / 4, t = lane % 4): {row g: columns 2t, 2t + 1; row g + 8: the same}. A is
// 16 × step in four registers, B step × 8 in two, a register being two numbers of 16 bits or one of TF32.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

__device__ inline unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Starts to copy 16 bytes to shared memory, or to write zeros where they are not `inside`: then nothing is
// read, wherever `from` points.
__device__ inline void copy_async(void* to, const void* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(inside ? 16 : 0)
                 : "memory");
}
__device__ inline void commit_copies() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
// Until at most `pending` of the groups committed are under way.
template <int pending>
__device__ inline void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// Four 8 × 8 matrices of 16-bit numbers; lane i gives row i % 8 of matrix i / 8. Transposed on the way, if
// so.
template <bool transposed>
__device__ inline void load_matrices(unsigned (&r)[4], const void* row) {
    if constexpr (transposed) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(shared_address(row))
                     : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(shared_address(row))
                     : "memory");
    }
}

// 16 rows of A, 32 bytes of each, from a tile with rows of `row_length` elements: the four quarters are the
// operand's four registers. `at`: the first element.
template <int row_length, typename T>
__device__ inline void load_a(unsigned (&a)[4], const T* at) {
    const unsigned lane = threadIdx.x % warp_size;
    load_matrices<false>(a, at + lane % 16 * row_length + lane / 16 * (16 / sizeof(T)));
}

// 16 columns of B (two operands side by side): 16 rows of 16-bit numbers, or 8 rows of TF32, which ldmatrix
// cannot transpose.
template <int row_length, typename T>
__device__ inline void load_b(unsigned (&b)[4], const T* at) {
    const unsigned lane = threadIdx.x % warp_size;
    load_matrices<true>(b, at + lane % 16 * row_length + lane / 16 * 8);
}
template <int row_length>
__device__ inline void load_b(unsigned (&b)[4], const float* at) {
    const unsigned lane = threadIdx.x % warp_size;
    at += lane % 4 * row_length + lane / 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) b[i] = __float_as_uint(at[i % 2 * 4 * row_length + i / 2 * 8]);
}

// The depth of one mma: 32 bytes of A's row.
template <typename T>
constexpr int mma_step = 32 / static_cast<int>(sizeof(T));

// sum += A·B; the type of T only names that of the operands.
__device__ inline void multiply_add(float (&sum)[4], const unsigned (&a)[4], const unsigned* b, bf16) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ inline void multiply_add(float (&sum)[4], const unsigned (&a)[4], const unsigned* b, fp16) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// TF32 lies in memory as FP32; the tensor core leaves out the mantissa's last 13 bits. The inputs here are
// made without them, so that nothing is lost.
__device__ inline void multiply_add(float (&sum)[4], const unsigned (&a)[4], const unsigned* b, float) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

}  // namespace kprof
