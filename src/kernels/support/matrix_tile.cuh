// A 16 × 16 × 16 product of tiles on the matrix units, one warp (wavefront) a tile, FP32 sums: wmma on
// NVIDIA, MFMA on AMD. The same three classes on both, for T = bf16 or fp16; all lanes take part in every
// call.
//
//     ProductTile sum;  sum.clear();
//     LeftTile<T> a;    a.load(pointer to its first element, elements from row to row);
//     RightTile<T> b;   b.load(...);
//     sum.add(a, b);    sum.store(pointer, elements from row to row);
//
// All tiles lie row-major. On NVIDIA pointers must be 32-byte aligned and rows a multiple of 16 bytes apart.
#pragma once

#include "kernels/support/device.cuh"

#if !defined(__HIP__)
#include <mma.h>
#endif

namespace kprof {

constexpr int matrix_tile = 16;  // rows, columns and depth

#if defined(__HIP__)
// v_mfma_f32_16x16x16: lane l holds row l % 16 of A and column l % 16 of B, each at the four depths from
// l / 16 * 4 on, and of the sum column l % 16 in the four rows from l / 16 * 4 on (AMD matrix instruction
// calculator).
using Mfma4Floats = float __attribute__((ext_vector_type(4)));
using Mfma4Shorts = short __attribute__((ext_vector_type(4)));
using Mfma4Halves = _Float16 __attribute__((ext_vector_type(4)));

__device__ inline unsigned mfma_line() {
    return threadIdx.x % matrix_tile;
}
__device__ inline unsigned mfma_start() {
    return threadIdx.x % warp_size / matrix_tile * 4;
}

template <typename T>
struct LeftTile {
    T at[4];
    __device__ void load(const T* from, unsigned stride) {
        for (unsigned i = 0; i < 4; ++i)
            at[i] = from[static_cast<std::size_t>(mfma_line()) * stride + mfma_start() + i];
    }
};
template <typename T>
struct RightTile {
    T at[4];
    __device__ void load(const T* from, unsigned stride) {
        for (unsigned i = 0; i < 4; ++i)
            at[i] = from[static_cast<std::size_t>(mfma_start() + i) * stride + mfma_line()];
    }
};
struct ProductTile {
    Mfma4Floats at;
    __device__ void clear() { at = 0; }
    __device__ void add(const LeftTile<bf16>& a, const RightTile<bf16>& b) {
        at = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(packed<Mfma4Shorts>(a.at), packed<Mfma4Shorts>(b.at),
                                                       at, 0, 0, 0);
    }
    __device__ void add(const LeftTile<fp16>& a, const RightTile<fp16>& b) {
        at = __builtin_amdgcn_mfma_f32_16x16x16f16(packed<Mfma4Halves>(a.at), packed<Mfma4Halves>(b.at), at,
                                                   0, 0, 0);
    }
    __device__ void store(float* to, unsigned stride) const {
        for (unsigned i = 0; i < 4; ++i)
            to[static_cast<std::size_t>(mfma_start() + i) * stride + mfma_line()] = at[i];
    }

  private:
    template <typename To, typename T>
    static __device__ To packed(const T (&from)[4]) {
        To to;
        static_assert(sizeof(to) == sizeof(from), "four elements of two bytes");
        __builtin_memcpy(&to, from, sizeof(to));
        return to;
    }
};
#else
template <typename T>
struct LeftTile {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, matrix_tile, matrix_tile, matrix_tile, T,
                           nvcuda::wmma::row_major>
        at;
    __device__ void load(const T* from, unsigned stride) { nvcuda::wmma::load_matrix_sync(at, from, stride); }
};
template <typename T>
struct RightTile {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, matrix_tile, matrix_tile, matrix_tile, T,
                           nvcuda::wmma::row_major>
        at;
    __device__ void load(const T* from, unsigned stride) { nvcuda::wmma::load_matrix_sync(at, from, stride); }
};
struct ProductTile {
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, matrix_tile, matrix_tile, matrix_tile, float> at;
    __device__ void clear() { nvcuda::wmma::fill_fragment(at, 0.0F); }
    template <typename T>
    __device__ void add(const LeftTile<T>& a, const RightTile<T>& b) {
        nvcuda::wmma::mma_sync(at, a.at, b.at, at);
    }
    __device__ void store(float* to, unsigned stride) const {
        nvcuda::wmma::store_matrix_sync(to, at, stride, nvcuda::wmma::mem_row_major);
    }
};
#endif

}  // namespace kprof
