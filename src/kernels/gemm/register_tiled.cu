// Each thread keeps 8 × 8 elements of C in registers and reads 16 numbers of shared memory for 64 products:
// the FMA pipe, not memory, is what it waits for. What is left is that FP32 does not use the tensor cores.
#include "kernels/support/gemm_family.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

constexpr int tile = 128;  // of C, in both directions
constexpr int depth = 8;   // of a step along k
constexpr int threads = 256;
// 4 more than a tile: the transposed stores of A then fall into 32 different banks (two quads of k, 4 rows of
// 132 words apart, are 16 banks apart), and vectors stay aligned.
constexpr int a_row = tile + 4;
constexpr int smem_bytes = 2 * depth * (a_row + tile) * static_cast<int>(sizeof(float));

Geometry geometry(const GemmCall& call) {
    return tile_geometry(call.m, call.n, tile, tile, threads, 1, smem_bytes);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
using Float4 = Pack<float, 4>;

// Four neighbours in a row, of which `inside` exist; zeros for the others. `vectors`: rows are whole vectors
// long, so that all four exist or none.
template <bool vectors>
__device__ static Float4 load(const float* at, int inside) {
    Float4 x = {};
    if (vectors) {
        if (inside > 0) x = *reinterpret_cast<const Float4*>(at);
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (i < inside) x.at[i] = at[i];
        }
    }
    return x;
}

template <bool vectors>
__global__ void __launch_bounds__(threads, 2)
    gemm_register_tiled(const float* a, const float* b, float* c, int m_extent, int n_extent, int k_extent) {
    // Two of each: one is read while the other is filled, and one barrier a step is enough. A's tile lies
    // transposed, so that what a thread needs of both is side by side.
    alignas(16) __shared__ float a_tile[2][depth][a_row];
    alignas(16) __shared__ float b_tile[2][depth][tile];
    const unsigned m = m_extent, n = n_extent, k = k_extent;
    const unsigned first_row = (blockIdx.z * gridDim.y + blockIdx.y) * tile, first_col = blockIdx.x * tile;

    // What this thread brings of each step: 4 numbers along k of one row of A, 4 along n of one row of B.
    const unsigned a_m = threadIdx.x / 2, a_k = threadIdx.x % 2 * 4;
    const unsigned b_k = threadIdx.x / 32, b_n = threadIdx.x % 32 * 4;
    const bool a_inside = first_row + a_m < m;
    const int b_inside = static_cast<int>(n - (first_col + b_n));
    const float* a_from = a + static_cast<std::size_t>(first_row + a_m) * k + a_k;
    const float* b_from = b + static_cast<std::size_t>(b_k) * n + first_col + b_n;

    // What it computes: rows row + 0..3 and row + 64..67 of the tile, columns likewise. A warp covers 4 × 8
    // threads, in pairs, so that lanes 1 apart share vectors of B and lanes 2 apart those of A: half a warp
    // then reads at most 128 bytes, and a 16-byte load of the warp takes two cycles instead of four.
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned row = (warp / 2 * 4 + (lane & 1) + lane / 16 * 2) * 4;
    const unsigned col = (warp % 2 * 8 + lane / 2 % 8) * 4;

    float sum[8][8] = {};
    Float4 a_part[2][2], b_part[2][2];  // [of this product, of the next][half]
    const auto read_parts = [&](int buffer, int i, int part) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            a_part[part][half] = *reinterpret_cast<const Float4*>(&a_tile[buffer][i][row + half * 64]);
            b_part[part][half] = *reinterpret_cast<const Float4*>(&b_tile[buffer][i][col + half * 64]);
        }
    };
    Float4 a_next, b_next;
    int left = k_extent;  // of k, from the next step on
    const auto load_step = [&] {
        a_next = load<vectors>(a_from, a_inside ? left - static_cast<int>(a_k) : 0);
        b_next = load<vectors>(b_from, static_cast<int>(b_k) < left ? b_inside : 0);
        a_from += depth;
        b_from += static_cast<std::size_t>(depth) * n;
        left -= depth;
    };
    const auto store_step = [&](int buffer) {
#pragma unroll
        for (int i = 0; i < 4; ++i) a_tile[buffer][a_k + i][a_m] = a_next.at[i];
        *reinterpret_cast<Float4*>(&b_tile[buffer][b_k][b_n]) = b_next;
    };

    load_step();
    store_step(0);
    __syncthreads();
    read_parts(0, 0, 0);
    int buffer = 0;
    // The last step loads and stores zeros that nobody uses.
    while (left > -depth) {
        load_step();  // arrives while this step is computed
#pragma unroll
        for (int i = 0; i < depth; ++i) {
            if (i + 1 < depth) {
                read_parts(buffer, i + 1, (i + 1) % 2);
            } else {
                buffer ^= 1;
                store_step(buffer);
                __syncthreads();
                read_parts(buffer, 0, 0);
            }
#pragma unroll
            for (int y = 0; y < 8; ++y) {
#pragma unroll
                for (int x = 0; x < 8; ++x) {
                    sum[y][x] += a_part[i % 2][y / 4].at[y % 4] * b_part[i % 2][x / 4].at[x % 4];
                }
            }
        }
    }

#pragma unroll
    for (int y = 0; y < 8; ++y) {
        const unsigned c_row = first_row + row + y / 4 * 64 + y % 4;
        if (c_row >= m) continue;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const unsigned c_col = first_col + col + half * 64;
            float* at = c + static_cast<std::size_t>(c_row) * n + c_col;
            Float4 out;
#pragma unroll
            for (int x = 0; x < 4; ++x) out.at[x] = sum[y][half * 4 + x];
            if (vectors) {
                if (c_col < n) *reinterpret_cast<Float4*>(at) = out;
            } else {
#pragma unroll
                for (unsigned x = 0; x < 4; ++x) {
                    if (c_col + x < n) at[x] = out.at[x];
                }
            }
        }
    }
}

static void launch(const GemmCall& call) {
    const Geometry g = geometry(call);
    const auto kernel =
        call.n % 4 == 0 && call.k % 4 == 0 ? gemm_register_tiled<true> : gemm_register_tiled<false>;
    kernel<<<grid_of(g), block_of(g)>>>(static_cast<const float*>(call.a), static_cast<const float*>(call.b),
                                        static_cast<float*>(call.c), call.m, call.n, call.k);
    check_launch("gemm_register_tiled");
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "register-tiled";
    v.title = "128x128 tiles, 8x8 elements a thread in registers, double-buffered, FP32";
    v.dtypes = {DType::fp32};
    v.expected = "tensor_cores";
    v.twin = "cublas";
    v.rung = 5;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
