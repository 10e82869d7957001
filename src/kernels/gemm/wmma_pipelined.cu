// Tiles of A and B come into shared memory by cp.async while the tiles before them are multiplied: a ring of
// three stages, 64 × 64 elements of C a warp. The tensor pipe no longer waits for memory; on Hopper it still
// runs at two thirds of its speed, because only WGMMA feeds it fully.
#include "kernels/support/gemm_family.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_mma.cuh"
#endif

namespace kprof {
namespace {

constexpr int tile_m = 128, tile_n = 256;  // of C, a block
constexpr int warp_tile = 64;              // of C, a warp, in both directions
constexpr int warps_n = tile_n / warp_tile;
constexpr int threads = tile_m / warp_tile * warps_n * 32;
constexpr int stages = 3;  // 80 KB: what every GPU since sm_80 has

// A stage is 64 bytes deep: 32 elements of BF16 and FP16, 16 of TF32. Rows are 16 bytes (of A) and 8 elements
// (of B) longer than their numbers, so that what one instruction reads lies in different banks.
constexpr int depth_bytes = 64, a_row_bytes = depth_bytes + 16;
constexpr int b_row = tile_n + 8;
constexpr int a_bytes = tile_m * a_row_bytes, stage_bytes = a_bytes + depth_bytes * b_row;
constexpr int smem_bytes = stages * stage_bytes;

Geometry geometry(const GemmCall& call) {
    Geometry g = tile_geometry(call.m, call.n, tile_m, tile_n, threads, 1, 0);
    g.smem_dynamic = smem_bytes;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// Brings rows × cols elements from (row, col) on into a tile with rows of `to_row` elements; zeros beyond the
// matrix. Where the matrix has no whole chunks of 16 bytes in a row: element by element, and at once.
template <bool chunks, int rows, int cols, int to_row, typename T>
__device__ static void bring(T* to, const T* from, unsigned row, unsigned col, unsigned row_count,
                             unsigned col_count) {
    constexpr int width = chunks ? 16 / static_cast<int>(sizeof(T)) : 1;
    static_assert(rows * cols / width % threads == 0, "every thread brings as much");
    for (unsigned i = threadIdx.x; i < rows * cols / width; i += threads) {
        const unsigned r = i / (cols / width), c = i % (cols / width) * width;
        const bool inside = row + r < row_count && col + c < col_count;
        const T* at = from + static_cast<std::size_t>(row + r) * col_count + col + c;
        if constexpr (chunks) {
            copy_async(to + r * to_row + c, at, inside);
        } else {
            to[r * to_row + c] = inside ? *at : from_float<T>(0.0F);
        }
    }
}

// Writes 16 rows of a warp's part of C, by way of its own strip of shared memory, so that memory sees whole
// lines.
template <bool chunks, typename T>
__device__ static void write_strip(T* c, float* strip, const float (&sum)[warp_tile / 8][4], unsigned row,
                                   unsigned col, unsigned m, unsigned n) {
    constexpr int strip_row = warp_tile + 8;
    static_assert(threads / 32 * 16 * strip_row * sizeof(float) <= smem_bytes, "a strip for each warp");
    constexpr int width = chunks ? 16 / static_cast<int>(sizeof(T)) : 1;
    const unsigned lane = threadIdx.x % 32;
    strip += threadIdx.x / 32 * 16 * strip_row;
    sync_warp();  // the strip before this one is written
#pragma unroll
    for (int j = 0; j < warp_tile / 8; ++j) {
        float* at = strip + lane / 4 * strip_row + j * 8 + lane % 4 * 2;
        *reinterpret_cast<Pack<float, 2>*>(at) = {sum[j][0], sum[j][1]};
        *reinterpret_cast<Pack<float, 2>*>(at + 8 * strip_row) = {sum[j][2], sum[j][3]};
    }
    sync_warp();
    for (unsigned i = lane; i < 16 * warp_tile / width; i += 32) {
        const unsigned r = i / (warp_tile / width), x = i % (warp_tile / width) * width;
        if (row + r >= m || col + x >= n) continue;
        Pack<T, width> out;
#pragma unroll
        for (int j = 0; j < width; ++j) out.at[j] = from_float<T>(strip[r * strip_row + x + j]);
        *reinterpret_cast<Pack<T, width>*>(c + static_cast<std::size_t>(row + r) * n + col + x) = out;
    }
}

template <typename T, bool chunks>
__global__ void __launch_bounds__(threads, 1)
    gemm_wmma_pipelined(const T* a, const T* b, T* c, int m_extent, int n_extent, int k_extent) {
    constexpr int step = mma_step<T>, size = sizeof(T);
    constexpr int depth = depth_bytes / size, a_row = a_row_bytes / size;
    extern __shared__ __align__(128) unsigned char shared[];
    const auto a_tile = [&](unsigned stage) { return reinterpret_cast<T*>(shared + stage * stage_bytes); };
    const auto b_tile = [&](unsigned stage) {
        return reinterpret_cast<T*>(shared + stage * stage_bytes + a_bytes);
    };
    const unsigned m = m_extent, n = n_extent, k = k_extent;
    const unsigned first_row = (blockIdx.z * gridDim.y + blockIdx.y) * tile_m,
                   first_col = blockIdx.x * tile_n;
    const unsigned warp = threadIdx.x / 32;
    const unsigned row = warp / warps_n * warp_tile, col = warp % warps_n * warp_tile;

    unsigned next = 0;  // where the next tiles begin along k
    const auto bring_next = [&](unsigned stage) {
        if (next < k) {
            bring<chunks, tile_m, depth, a_row>(a_tile(stage), a, first_row, next, m, k);
            bring<chunks, depth, tile_n, b_row>(b_tile(stage), b, next, first_col, k, n);
        }
        next += depth;
        commit_copies();  // an empty group too: groups are what is counted
    };

    float sum[warp_tile / 16][warp_tile / 8][4] = {};
#pragma unroll
    for (int stage = 0; stage < stages - 1; ++stage) bring_next(stage);

    unsigned stage = 0, spare = stages - 1;
    for (unsigned start = 0; start < k; start += depth) {
        wait_copies<stages - 2>();
        __syncthreads();  // this stage is there for all, and all have done with the one before
        bring_next(spare);
#pragma unroll
        for (int inner = 0; inner < depth; inner += step) {
            unsigned a_part[warp_tile / 16][4], b_part[4];
#pragma unroll
            for (int i = 0; i < warp_tile / 16; ++i) {
                load_a<a_row>(a_part[i], a_tile(stage) + (row + i * 16) * a_row + inner);
            }
#pragma unroll
            for (int j = 0; j < warp_tile / 8; j += 2) {
                load_b<b_row>(b_part, b_tile(stage) + inner * b_row + col + j * 8);
#pragma unroll
                for (int i = 0; i < warp_tile / 16; ++i) {
                    multiply_add(sum[i][j], a_part[i], b_part, T{});
                    multiply_add(sum[i][j + 1], a_part[i], b_part + 2, T{});
                }
            }
        }
        spare = stage;
        stage = stage + 1 == stages ? 0 : stage + 1;
    }

    wait_copies<0>();
    __syncthreads();  // the ring is used anew
#pragma unroll
    for (int i = 0; i < warp_tile / 16; ++i) {
        write_strip<chunks>(c, reinterpret_cast<float*>(shared), sum[i], first_row + row + i * 16,
                            first_col + col, m, n);
    }
}

template <typename T>
static void launch_as(const GemmCall& call) {
    const Geometry g = geometry(call);
    const int width = 16 / static_cast<int>(sizeof(T));
    const bool chunks = call.n % width == 0 && call.k % width == 0;
    const auto kernel = chunks ? gemm_wmma_pipelined<T, true> : gemm_wmma_pipelined<T, false>;
    allow_shared_memory(kernel, smem_bytes);
    kernel<<<grid_of(g), block_of(g), smem_bytes>>>(static_cast<const T*>(call.a),
                                                    static_cast<const T*>(call.b), static_cast<T*>(call.c),
                                                    call.m, call.n, call.k);
    check_launch("gemm_wmma_pipelined");
}

static void launch(const GemmCall& call) {
    if (call.dtype == DType::bf16) {
        launch_as<bf16>(call);
    } else if (call.dtype == DType::fp16) {
        launch_as<fp16>(call);
    } else {
        launch_as<float>(call);  // TF32
    }
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "wmma-pipelined";
    v.title = "tensor cores, 128x256 tiles through a ring of cp.async stages";
    v.dtypes = {DType::bf16, DType::fp16, DType::tf32};
    v.expected = "tensor_starved";
    v.twin = "wgmma";
    v.rung = 7;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
