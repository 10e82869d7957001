// The few things that differ between CUDA and HIP, and the reductions that many kernels share. Kernels that
// use these instead of CUDA's own names compile for AMD as well (KPROF_HIP).
#pragma once

#if defined(__HIP__)
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include "kernels/support/launch_check.hpp"

namespace kprof {

#if defined(__HIP__)
using Stream = hipStream_t;
constexpr int warp_size = 64;  // a wavefront of CDNA
// BF16 as it lies in memory. HIP got a type of its own late (ROCm 5.7), and an incomplete one.
struct bf16 {
    unsigned short bits;
};
#else
using Stream = cudaStream_t;
constexpr int warp_size = 32;
using bf16 = __nv_bfloat16;
#endif
using fp16 = __half;

// The value of `x` in the lane whose number differs in the bits of `mask`; of the lane `offset` further on;
// of lane `from`. All lanes of the warp take part.
template <typename T>
__device__ inline T shuffle_xor(T x, int mask) {
#if defined(__HIP__)
    return __shfl_xor(x, mask, warp_size);
#else
    return __shfl_xor_sync(0xFFFFFFFFU, x, mask);
#endif
}
template <typename T>
__device__ inline T shuffle_down(T x, int offset) {
#if defined(__HIP__)
    return __shfl_down(x, offset, warp_size);
#else
    return __shfl_down_sync(0xFFFFFFFFU, x, offset);
#endif
}
template <typename T>
__device__ inline T shuffle_from(T x, int from) {
#if defined(__HIP__)
    return __shfl(x, from, warp_size);
#else
    return __shfl_sync(0xFFFFFFFFU, x, from);
#endif
}

// Memory written by the lanes of a warp before it is seen by all of them after it. A wavefront runs in
// lockstep: there it only holds the compiler.
__device__ inline void sync_warp() {
#if defined(__HIP__)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
#else
    __syncwarp();
#endif
}

// In every lane: the sum, the largest over the warp.
template <typename T>
__device__ inline T warp_sum(T x) {
#pragma unroll
    for (int mask = warp_size / 2; mask > 0; mask /= 2) x += shuffle_xor(x, mask);
    return x;
}
template <typename T>
__device__ inline T warp_max(T x) {
#pragma unroll
    for (int mask = warp_size / 2; mask > 0; mask /= 2) {
        const T other = shuffle_xor(x, mask);
        x = other > x ? other : x;
    }
    return x;
}

// In every thread: the sum, the largest over a one-dimensional block of whole warps. `shared` holds one value
// a warp, and may be used again right after.
template <typename T>
__device__ inline T block_sum(T x, T* shared) {
    const int warps = static_cast<int>(blockDim.x) / warp_size;
    x = warp_sum(x);
    if (threadIdx.x % warp_size == 0) shared[threadIdx.x / warp_size] = x;
    __syncthreads();
    T sum = 0;
    for (int i = 0; i < warps; ++i) sum += shared[i];
    __syncthreads();
    return sum;
}
template <typename T>
__device__ inline T block_max(T x, T* shared) {
    const int warps = static_cast<int>(blockDim.x) / warp_size;
    x = warp_max(x);
    if (threadIdx.x % warp_size == 0) shared[threadIdx.x / warp_size] = x;
    __syncthreads();
    T largest = shared[0];
    for (int i = 1; i < warps; ++i) largest = shared[i] > largest ? shared[i] : largest;
    __syncthreads();
    return largest;
}

// N elements that move as one load or store of at most 16 bytes.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

__device__ inline float to_float(float x) {
    return x;
}
__device__ inline float to_float(fp16 x) {
    return __half2float(x);
}
template <typename T>
__device__ inline T from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
    return x;
}
template <>
__device__ inline fp16 from_float<fp16>(float x) {
    return __float2half(x);
}
__device__ inline float to_float(bf16 x) {
#if defined(__HIP__)
    return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
#else
    return __bfloat162float(x);
#endif
}
template <>
__device__ inline bf16 from_float<bf16>(float x) {
#if defined(__HIP__)
    // To the nearest, ties to even; a NaN stays one.
    const unsigned bits = __float_as_uint(x);
    if (x != x) return bf16{static_cast<unsigned short>((bits >> 16) | 0x40U)};
    return bf16{static_cast<unsigned short>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16)};
#else
    return __float2bfloat16(x);
#endif
}

// More shared memory per block than the 48 KB that every launch may use (CUDA; elsewhere there is no such
// limit).
template <typename Kernel>
inline void allow_shared_memory(Kernel* kernel, int bytes) {
#if !defined(__HIP__)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
#endif
}

}  // namespace kprof
