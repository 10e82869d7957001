// The product as Hopper wants it, on par with cuBLAS: one warp has the copy engine (TMA) fill a ring of tiles
// in shared memory, two warpgroups multiply them on the tensor cores (WGMMA), and the blocks stay and take
// tile after tile, so that the ring is full again before a tile's sums are stored. Pairs of blocks share B.
// Nothing is planted: the tensor cores are busy throughout, and the chip's power limits their clock.
#include "kernels/support/gemm_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/hopper.cuh"
#include "kernels/support/launch_check.hpp"
#include "kernels/support/tensor_map.hpp"
#include "kernels/support/wgmma.cuh"
#endif

namespace kprof {
namespace {

// A block multiplies 128 × depth of A by depth × 256 of B: a warpgroup for each 64 rows. A cluster's two
// blocks lie one below the other, each brings half of their B, and TMA writes it to both.
constexpr int cluster = 2;
constexpr int tile_m = 128, tile_n = 256, depth = 64;
constexpr int box = 64;  // elements of the 128 bytes that TMA swizzles
constexpr int stages = 4;
constexpr int warpgroup = 128, consumers = 2;
constexpr int threads = (consumers + 1) * warpgroup;

constexpr int element = 2, alignment = 1024;
constexpr int ring_bytes = stages * (tile_m + tile_n) * depth * element;
constexpr int store_bytes = consumers * 4 * 2 * 16 * box * element;  // two boxes a warp
constexpr int shared_bytes = ring_bytes + store_bytes + alignment;   // and the barriers

constexpr int most_clusters = 66;  // 132 multiprocessors, H100 SXM and H200; the launch asks the device

// The cluster's tiles of C.
struct Tiles {
    std::int64_t rows, columns;
    std::int64_t count() const { return rows * columns; }
};
Tiles tiles_of(const GemmCall& call) {
    const std::int64_t m = call.m, n = call.n;
    return {(m + cluster * tile_m - 1) / (cluster * tile_m), (n + tile_n - 1) / tile_n};
}

Geometry persistent(const GemmCall& call, std::int64_t clusters) {
    const std::int64_t tiles = tiles_of(call).count();
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>(cluster * (tiles < clusters ? tiles : clusters));
    g.block[0] = threads;
    g.smem_dynamic = shared_bytes;
    return g;
}
Geometry geometry(const GemmCall& call) {
    return persistent(call, most_clusters);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <typename T>
struct WgmmaShared {
    alignas(alignment) T a[stages][tile_m * depth];  // a box: depth along k, 128 rows
    alignas(alignment) T b[stages][depth * tile_n];  // four boxes: 64 along n, depth rows
    alignas(alignment) T c[consumers * 4][2][16 * box];
    std::uint64_t full[stages], empty[stages];
};
static_assert(sizeof(WgmmaShared<bf16>) == shared_bytes);

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// Tiles are taken in bands of eight rows, down the band first: those under way at one time then lie in a
// square, and share their rows of A and columns of B through the L2 cache.
__device__ inline void place_tile(int index, int rows, int columns, int& row, int& column) {
    constexpr int height = 8;
    const int first = index / (height * columns) * height;
    const int in_band = index - first * columns, band = min(height, rows - first);
    row = (first + in_band % band) * cluster * tile_m + static_cast<int>(hopper::cluster_rank()) * tile_m;
    column = in_band / band * tile_n;
}

// One thread: fills the ring for all tiles of this block.
template <typename T>
__device__ void produce(WgmmaShared<T>& shared, const TensorMap& a, const TensorMap& b, int rows, int columns,
                        int steps) {
    constexpr int boxes = tile_n / box / cluster;  // of B, that this block brings to both
    constexpr std::uint16_t both = 0b11;
    const int first_box = static_cast<int>(hopper::cluster_rank()) * boxes;
    hopper::RingPosition<stages> at;
    for (int tile = blockIdx.x / cluster; tile < rows * columns; tile += gridDim.x / cluster) {
        int row, column;
        place_tile(tile, rows, columns, row, column);
        for (int step = 0; step < steps; ++step) {
            hopper::wait(shared.empty[at.stage], at.parity ^ 1);
            hopper::Barrier& full = shared.full[at.stage];
            hopper::arrive_expecting(full, sizeof shared.a[0] + sizeof shared.b[0]);
            hopper::load(shared.a[at.stage], a, step * depth, row, full);
            for (int i = first_box; i < first_box + boxes; ++i) {
                hopper::load_multicast(shared.b[at.stage] + i * depth * box, b, column + i * box,
                                       step * depth, full, both);
            }
            at.advance();
        }
    }
}

// A warp's 16 rows of the sums: rounded, box by box into shared memory, from where TMA stores them while the
// next box, and the next tile, are worked on.
template <typename T>
__device__ inline void store_sums(T (&staged)[2][16 * box], const TensorMap& c,
                                  const float (&sum)[tile_n / 2], int row, int column) {
    const int lane = threadIdx.x % warp_size;
#pragma unroll
    for (int i = 0; i < tile_n / box; ++i) {
        T* to = staged[i % 2];
        if (lane == 0) hopper::wait_stores_read<1>();  // the store before the last: it was from here
        __syncwarp();
#pragma unroll
        for (int j = 0; j < box / 8; j += 2) {
            const int r = lane % 16, chunk = j + lane / 16;
            hopper::store_rounded(to + r * box + (chunk ^ (r % 8)) * 8, sum + (i * box / 8 + j) * 4);
        }
        hopper::fence_async();
        __syncwarp();
        if (lane == 0) {
            hopper::store(c, to, column + i * box, row);
            hopper::commit_stores();
        }
    }
}

// A warpgroup: 64 rows of each tile.
template <typename T>
__device__ void consume(WgmmaShared<T>& shared, const TensorMap& c, int rows, int columns, int steps) {
    const int group = threadIdx.x / warpgroup, warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    const auto release = [&](int stage) {
        if (lane < cluster) hopper::arrive_at(shared.empty[stage], lane);
    };
    float sum[tile_n / 2];
    hopper::RingPosition<stages> at;
    for (int tile = blockIdx.x / cluster; tile < rows * columns; tile += gridDim.x / cluster) {
        int row, column, before = 0;
        place_tile(tile, rows, columns, row, column);
        for (int step = 0; step < steps; ++step) {
            hopper::wait(shared.full[at.stage], at.parity);
            const std::uint64_t a = hopper::k_major(shared.a[at.stage] + group * 64 * depth);
            const std::uint64_t b = hopper::mn_major(shared.b[at.stage], depth * box * element);
            hopper::hold(sum);
            hopper::fence();
#pragma unroll
            for (int i = 0; i < depth / 16; ++i) {
                hopper::multiply<T, false, true>(sum, a + i * hopper::k_major_step,
                                                 b + i * hopper::mn_major_step, step + i > 0);
            }
            hopper::commit();
            hopper::hold(sum);
            // One step stays under way, so that the tensor cores never wait for this loop.
            hopper::wait<1>();
            if (step > 0) release(before);
            before = at.stage;
            at.advance();
        }
        hopper::wait<0>();
        hopper::hold(sum);
        release(before);
        store_sums(shared.c[warp], c, sum, row + warp * 16, column);
    }
    if (lane == 0) hopper::wait_stores_read<0>();
    __syncwarp();
}
#endif

template <typename T>
__global__ void __launch_bounds__(threads, 1)
    gemm_wgmma(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
               const __grid_constant__ TensorMap c, int rows, int columns, int k) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ __align__(alignment) unsigned char memory[];
    WgmmaShared<T>& shared = *reinterpret_cast<WgmmaShared<T>*>(memory);
    const int steps = k / depth + (k % depth != 0);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            hopper::init(shared.full[i], 1);
            hopper::init(shared.empty[i], cluster * consumers * 4);  // every warp that reads either copy
        }
        hopper::fence_init();
    }
    hopper::cluster_sync();

    // The sums are 128 registers a thread, more than an even share leaves room for.
    if (threadIdx.x < consumers * warpgroup) {
        hopper::take_registers<232>();
        consume(shared, c, rows, columns, steps);
    } else {
        hopper::give_registers<40>();
        if (threadIdx.x / warp_size == consumers * 4 && hopper::elect_one()) {
            produce(shared, a, b, rows, columns, steps);
        }
        __syncwarp();
    }
    hopper::cluster_sync();  // the other block may still write here
#endif
}

// Made once: what of a launch depends on the matrices and the device only.
struct WgmmaContext {
    TensorMap a, b, c;
    int clusters = 0;  // that run at once
};

static cudaLaunchConfig_t configuration(const Geometry& g, cudaLaunchAttribute& pairs) {
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = grid_of(g);
    config.blockDim = block_of(g);
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &pairs;
    config.numAttrs = 1;
    return config;
}

static auto kernel_for(DType dtype) {
    return dtype == DType::bf16 ? gemm_wgmma<bf16> : gemm_wgmma<fp16>;
}

static void* open(const GemmCall& call) {
    const auto kernel = kernel_for(call.dtype);
    allow_shared_memory(kernel, shared_bytes);
    cudaLaunchAttribute pairs;
    const cudaLaunchConfig_t config = configuration(geometry(call), pairs);
    int clusters = 0;
    cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    check_launch("gemm_wgmma");
    return new WgmmaContext{
        make_tensor_map(matrix_map(call.a, call.dtype, call.m, call.k, call.lda, tile_m, depth)),
        make_tensor_map(matrix_map(call.b, call.dtype, call.k, call.n, call.ldb, depth, box)),
        make_tensor_map(matrix_map(call.c, call.dtype, call.m, call.n, call.ldc, 16, box)), clusters};
}
static void close(void* context) {
    delete static_cast<WgmmaContext*>(context);
}

static void launch(const GemmCall& call) {
    const WgmmaContext& context = *static_cast<const WgmmaContext*>(call.context);
    const Tiles tiles = tiles_of(call);
    cudaLaunchAttribute pairs;
    const cudaLaunchConfig_t config = configuration(persistent(call, context.clusters), pairs);
    cudaLaunchKernelEx(&config, kernel_for(call.dtype), context.a, context.b, context.c,
                       static_cast<int>(tiles.rows), static_cast<int>(tiles.columns), int{call.k});
    check_launch("gemm_wgmma");
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "wgmma";
    v.title = "Hopper's own tensor cores and copy engine (WGMMA, TMA): persistent, warp-specialised";
    v.dtypes = {DType::bf16, DType::fp16};
    v.expected = "at_limit:tensor";
    v.rung = 8;
    v.padding = 8;  // TMA wants rows of whole 16 bytes
    v.geometry = geometry;
    v.needs.cc_major = 9;
    v.needs.what = "WGMMA and TMA";
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.open = open;
    v.close = close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
