// Caches and shared memory: one block an SM reads the same bytes again and again, 16 bytes a thread and load.
#include <cuda_runtime_api.h>

#include "ceilings/cuda/loops.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof::loops {
namespace {

constexpr int threads = 1024;
constexpr int under_way = 4;  // loads of one thread

// volatile: the same address is loaded again, which the compiler would else do once.
template <bool through_l1>
__device__ uint4 load(const uint4* p) {
    uint4 v;
    if (through_l1) {
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(p));
    } else {
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(p));
    }
    return v;
}

__device__ uint4 load_shared(unsigned address) {
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address));
    return v;
}

template <bool through_l1>
__global__ void __launch_bounds__(threads)
    set_loop(const uint4* __restrict__ data, int vectors, std::int64_t loads, unsigned* sink) {
    const uint4* set = data + static_cast<std::int64_t>(blockIdx.x) * vectors;
    int at = threadIdx.x;
    unsigned all = 0;
    for (std::int64_t done = 0; done < loads; done += under_way) {
        uint4 v[under_way];
#pragma unroll
        for (int i = 0; i < under_way; ++i) {
            v[i] = load<through_l1>(set + at);
            at += threads;
            if (at >= vectors) at -= vectors;
        }
#pragma unroll
        for (int i = 0; i < under_way; ++i) all ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
    }
    if (all == 0x9E3779B9u) *sink = all;
}

// What one half of a chip's L2 reads of the other's it may keep a copy of: a set that all SMs read, small
// enough for two copies, shows more bandwidth than sets that every SM has for itself.
constexpr int common_threads = 256;
constexpr int common_vectors = common_chunk / sizeof(uint4) / common_threads;

__global__ void __launch_bounds__(common_threads, 8)
    common_loop(const uint4* __restrict__ data, unsigned chunks, std::int64_t passes, unsigned* sink) {
    unsigned chunk = blockIdx.x % chunks, all = 0;
#pragma unroll 1
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        const uint4* from =
            data + static_cast<std::int64_t>(chunk) * common_vectors * common_threads + threadIdx.x;
        uint4 v[common_vectors];
#pragma unroll
        for (int i = 0; i < common_vectors; ++i) v[i] = load<false>(from + i * common_threads);
#pragma unroll
        for (int i = 0; i < common_vectors; ++i) all ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
        chunk = chunk + 1 < chunks ? chunk + 1 : 0;
    }
    if (all == 0x9E3779B9u) *sink = all;
}

__global__ void __launch_bounds__(threads) shared_loop(std::int64_t loads, unsigned* sink) {
    constexpr unsigned bytes = 48 * 1024, step = threads * sizeof(uint4);
    __shared__ uint4 tile[bytes / sizeof(uint4)];
    for (unsigned i = threadIdx.x; i < bytes / sizeof(uint4); i += threads)
        tile[i] = make_uint4(i, i * 3, i * 5, i * 7);
    __syncthreads();
    const auto base = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    unsigned at = threadIdx.x * sizeof(uint4), all = 0;
    for (std::int64_t done = 0; done < loads; done += under_way) {
        uint4 v[under_way];
#pragma unroll
        for (int i = 0; i < under_way; ++i) {
            v[i] = load_shared(base + at);
            at += step;
            if (at >= bytes) at -= bytes;
        }
#pragma unroll
        for (int i = 0; i < under_way; ++i) all ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
    }
    if (all == 0x9E3779B9u) *sink = all;
}

}  // namespace

void read_set(bool through_l1, const void* data, std::int64_t bytes_per_block, std::int64_t loads, int blocks,
              unsigned* sink) {
    const auto vectors = static_cast<int>(bytes_per_block / static_cast<std::int64_t>(sizeof(uint4)));
    if (through_l1) {
        // All of the array to L1: shared memory is not used. A hint, which may be refused.
        static_cast<void>(cudaFuncSetAttribute(reinterpret_cast<const void*>(&set_loop<true>),
                                               cudaFuncAttributePreferredSharedMemoryCarveout, 0));
        set_loop<true><<<blocks, threads>>>(static_cast<const uint4*>(data), vectors, loads, sink);
    } else {
        set_loop<false><<<blocks, threads>>>(static_cast<const uint4*>(data), vectors, loads, sink);
    }
    check_launch("set_loop");
}

void read_common(const void* data, std::int64_t bytes, std::int64_t passes, int blocks, unsigned* sink) {
    common_loop<<<blocks, common_threads>>>(static_cast<const uint4*>(data),
                                            static_cast<unsigned>(bytes / common_chunk), passes, sink);
    check_launch("common_loop");
}

void read_shared(std::int64_t loads, int blocks, unsigned* sink) {
    shared_loop<<<blocks, threads>>>(loads, sink);
    check_launch("shared_loop");
}

}  // namespace kprof::loops
