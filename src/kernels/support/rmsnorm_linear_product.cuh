// y = x·Wᵀ for many rows and few columns, in BF16 on the tensor cores, and with rmsnorm folded in where the
// variant wants it. x is used once, so it goes from memory straight to the registers of mma, a chunk of the
// depth ahead; W is used by all warps of a block and lies in shared memory, twice: one chunk is multiplied
// while the next is written.
//
// mma wants of lane (g, t) = (lane / 4, lane % 4) the numbers 2t, 2t + 1, 2t + 8 and 2t + 9 of rows g and
// g + 8. A sum over the depth may take it in any order, as long as x and W take the same: here the lane takes
// eight neighbours, 8t ... 8t + 7 of 32, as one load of 16 bytes, and two mma use them up.
#pragma once

#include "kernels/support/gemm_mma.cuh"
#include "kernels/support/rmsnorm_linear_family.hpp"

namespace kprof {

constexpr int product_threads = product_warps * 32;
constexpr int product_steps = product_depth / 32;   // of 32 numbers of the depth
constexpr int product_bands = product_columns / 8;  // of 8 columns
constexpr int product_w_vectors = product_columns * product_depth / 8;
constexpr int product_w_per_thread = product_w_vectors / product_threads;
static_assert(product_w_vectors % product_threads == 0, "every thread copies as much of W");

using EightBf16 = Pack<bf16, 8>;

// 16 bytes of row `row`, from the depth k on; zeros behind the depth's end.
__device__ inline uint4 eight_at(const bf16* rows, std::int64_t row, std::int64_t k, std::int64_t d) {
    return k < d ? *reinterpret_cast<const uint4*>(rows + row * d + k) : make_uint4(0, 0, 0, 0);
}

__device__ inline float low_half(unsigned two) {
    return __uint_as_float(two << 16);
}
__device__ inline float high_half(unsigned two) {
    return __uint_as_float(two & 0xFFFF0000U);
}

__device__ inline float sum_of_squares(const uint4& v) {
    float sum = 0;
    for (const unsigned two : {v.x, v.y, v.z, v.w}) {
        sum += low_half(two) * low_half(two) + high_half(two) * high_half(two);
    }
    return sum;
}

// Element by element, rounded to BF16.
__device__ inline uint4 product_of(const uint4& a, const uint4& b) {
    const auto one = [](unsigned x, unsigned y) {
        const __nv_bfloat162 both =
            __floats2bfloat162_rn(low_half(x) * low_half(y), high_half(x) * high_half(y));
        unsigned bits;
        __builtin_memcpy(&bits, &both, sizeof bits);
        return bits;
    };
    return make_uint4(one(a.x, b.x), one(a.y, b.y), one(a.z, b.z), one(a.w, b.w));
}

// The vectors of W that a thread brings to shared memory, a chunk at a time. Vector i there is what lane
// i % 32 wants in band i / 32 % bands of step i / 32 / bands, so that a warp reads 512 bytes in a row.
struct WeightChunk {
    uint4 vector[product_w_per_thread];
    template <bool normalise>
    __device__ void load(const bf16* w, const bf16* gain, std::int64_t column, std::int64_t out,
                         std::int64_t k, std::int64_t d) {
#pragma unroll
        for (int j = 0; j < product_w_per_thread; ++j) {
            const int i = j * product_threads + static_cast<int>(threadIdx.x), lane = i % 32;
            const int band = i / 32 % product_bands, step = i / 32 / product_bands;
            const std::int64_t row = column + band * 8 + lane / 4, at = k + step * 32 + lane % 4 * 8;
            vector[j] = eight_at(w, row < out ? row : out - 1, at, d);
            // (x · g)·Wᵀ = x·(g · W)ᵀ, and there is less of W.
            if (normalise) vector[j] = product_of(vector[j], eight_at(gain, 0, at, d));
        }
    }
    __device__ void store(uint4* shared) const {
#pragma unroll
        for (int j = 0; j < product_w_per_thread; ++j)
            shared[j * product_threads + static_cast<int>(threadIdx.x)] = vector[j];
    }
};

// A lane's share of a chunk of x: rows g and g + 8 of its warp's 16.
struct RowChunk {
    uint4 upper[product_steps], lower[product_steps];
    __device__ void load(const bf16* x, std::int64_t upper_row, std::int64_t lower_row, std::int64_t k,
                         std::int64_t d) {
#pragma unroll
        for (int s = 0; s < product_steps; ++s) {
            upper[s] = eight_at(x, upper_row, k + s * 32, d);
            lower[s] = eight_at(x, lower_row, k + s * 32, d);
        }
    }
};

// Launched with rmsnorm_linear_product_geometry(). Rows and columns beyond the end: the last one again, not
// stored. normalise: x is raw, and its rows' scales, which the whole row decides, are applied to the sums.
template <bool normalise>
__device__ inline void product_of_rows(const bf16* x, const bf16* gain, const bf16* w, bf16* y,
                                       std::int64_t tokens, std::int64_t d, std::int64_t out) {
    __shared__ uint4 weights[2][product_w_vectors];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const std::int64_t block_row = static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * product_columns;
    const std::int64_t row = block_row * product_rows + warp * 16 + lane / 4;
    const std::int64_t upper_row = row < tokens ? row : tokens - 1;
    const std::int64_t lower_row = row + 8 < tokens ? row + 8 : tokens - 1;

    RowChunk rows, next_rows;
    WeightChunk next_weights;
    rows.load(x, upper_row, lower_row, lane % 4 * 8, d);
    next_weights.load<normalise>(w, gain, column, out, 0, d);
    next_weights.store(weights[0]);
    __syncthreads();

    float sum[product_bands][4] = {};
    float upper_squares = 0, lower_squares = 0;
    int now = 0;
    for (std::int64_t k = 0; k < d; k += product_depth) {
        next_rows.load(x, upper_row, lower_row, k + product_depth + lane % 4 * 8, d);
        next_weights.load<normalise>(w, gain, column, out, k + product_depth, d);
#pragma unroll
        for (int s = 0; s < product_steps; ++s) {
            const uint4 a = rows.upper[s], b = rows.lower[s];
            if (normalise) {
                upper_squares += sum_of_squares(a);
                lower_squares += sum_of_squares(b);
            }
            const unsigned first[4] = {a.x, b.x, a.y, b.y}, second[4] = {a.z, b.z, a.w, b.w};
#pragma unroll
            for (int band = 0; band < product_bands; ++band) {
                const uint4 v = weights[now][(s * product_bands + band) * 32 + lane];
                const unsigned v_first[2] = {v.x, v.y}, v_second[2] = {v.z, v.w};
                multiply_add(sum[band], first, v_first, bf16());
                multiply_add(sum[band], second, v_second, bf16());
            }
        }
        now ^= 1;
        next_weights.store(weights[now]);
        rows = next_rows;
        __syncthreads();
    }

    float upper_scale = 1, lower_scale = 1;
    if (normalise) {
        // A row lies in the four lanes of one g.
        for (int mask = 1; mask < 4; mask *= 2) {
            upper_squares += shuffle_xor(upper_squares, mask);
            lower_squares += shuffle_xor(lower_squares, mask);
        }
        upper_scale = rsqrtf(upper_squares / static_cast<float>(d) + rmsnorm_linear_epsilon);
        lower_scale = rsqrtf(lower_squares / static_cast<float>(d) + rmsnorm_linear_epsilon);
    }
    for (int band = 0; band < product_bands; ++band) {
        for (int i = 0; i < 2; ++i) {
            const std::int64_t at = column + band * 8 + lane % 4 * 2 + i;
            if (at >= out) continue;
            if (row < tokens) y[row * out + at] = from_float<bf16>(sum[band][i] * upper_scale);
            if (row + 8 < tokens) y[(row + 8) * out + at] = from_float<bf16>(sum[band][2 + i] * lower_scale);
        }
    }
}

}  // namespace kprof
