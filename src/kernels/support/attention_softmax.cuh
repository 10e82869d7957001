// The online softmax: scores come tile by tile, so the largest one so far is only provisional, and what was
// summed up with an older one is scaled down when a larger one turns up.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

// 2^x, one instruction; 0 for -infinity.
__device__ inline float exp2_fast(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Of a thread's rows (g and g + 8 of each 16): the largest score so far, and the sum of the weights in this
// thread's columns. Four threads share a row.
template <int m>
struct SoftmaxRows {
    float largest[m][2], total[m][2];

    __device__ void clear() {
        for (int i = 0; i < m; ++i) {
            largest[i][0] = largest[i][1] = -INFINITY;
            total[i][0] = total[i][1] = 0;
        }
    }
};

template <typename T>
__device__ inline T quad_sum(T x) {
    x += shuffle_xor(x, 1);
    return x + shuffle_xor(x, 2);
}
__device__ inline float quad_max(float x) {
    x = fmaxf(x, shuffle_xor(x, 1));
    return fmaxf(x, shuffle_xor(x, 2));
}

// The largest score may still be -infinity where a mask has hidden all keys so far.
__device__ inline float softmax_base(float largest, float scale) {
    return largest == -INFINITY ? 0.0F : largest * scale;
}

// Turns scores into weights 2^(score · scale - largest · scale). What was summed up so far, the rows of O
// too, is relative to an older largest score: `shrink` is what it must be multiplied by.
template <int m, int n>
__device__ inline void softmax_weights(float (&score)[m][n][4], SoftmaxRows<m>& rows, float (&shrink)[m][2],
                                       float scale) {
#pragma unroll
    for (int i = 0; i < m; ++i) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float largest = rows.largest[i][half];
#pragma unroll
            for (int j = 0; j < n; ++j) {
                largest = fmaxf(largest, fmaxf(score[i][j][half * 2], score[i][j][half * 2 + 1]));
            }
            largest = quad_max(largest);
            const float base = softmax_base(largest, scale);
            shrink[i][half] = exp2_fast(rows.largest[i][half] * scale - base);
            float total = rows.total[i][half] * shrink[i][half];
#pragma unroll
            for (int j = 0; j < n; ++j) {
#pragma unroll
                for (int e = half * 2; e < half * 2 + 2; ++e) {
                    score[i][j][e] = exp2_fast(score[i][j][e] * scale - base);
                    total += score[i][j][e];
                }
            }
            rows.largest[i][half] = largest;
            rows.total[i][half] = total;
        }
    }
}

template <int m, int k>
__device__ inline void scale_rows(float (&out)[m][k][4], const float (&by)[m][2]) {
#pragma unroll
    for (int i = 0; i < m; ++i) {
#pragma unroll
        for (int j = 0; j < k; ++j) {
#pragma unroll
            for (int e = 0; e < 4; ++e) out[i][j][e] *= by[i][e / 2];
        }
    }
}

// Hides, for each row, the keys from `seen` + (its row in the tile) on. All counted from the tile's first
// key.
template <int m, int n>
__device__ inline void hide_causal(float (&score)[m][n][4], int row, int seen) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll
    for (int i = 0; i < m; ++i) {
#pragma unroll
        for (int j = 0; j < n; ++j) {
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int key = j * 8 + lane % 4 * 2 + e % 2;
                if (key >= seen + row + i * 16 + e / 2 * 8 + lane / 4) score[i][j][e] = -INFINITY;
            }
        }
    }
}
// Hides the keys from `valid` on in all rows.
template <int m, int n>
__device__ inline void hide_beyond(float (&score)[m][n][4], int first_key, int valid) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll
    for (int j = 0; j < n; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            if (first_key + j * 8 + lane % 4 * 2 + e % 2 < valid) continue;
#pragma unroll
            for (int i = 0; i < m; ++i) score[i][j][e] = -INFINITY;
        }
    }
}

}  // namespace kprof
