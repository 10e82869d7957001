// What Hopper (sm_90a) moves data with: barriers that count bytes, the copy engine (TMA), clusters of blocks,
// registers that warps hand to each other. The tensor cores are in wgmma.cuh. Only device code for sm_90a may
// call these: a kernel's body stands inside #if defined(__CUDA_ARCH_FEAT_SM90_ALL), too.
#pragma once

#include <cstdint>

#include "kernels/support/tensor_map.hpp"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

namespace kprof::hopper {

__device__ inline std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

// --- Barriers. A phase ends when `arrivals` threads have arrived and every announced byte has landed. The
// first phase has parity 0; waiting for parity 1 on a fresh barrier returns at once.
using Barrier = std::uint64_t;  // in shared memory

__device__ inline void init(Barrier& barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(arrivals));
}
// After init() by one thread, before the barrier of the block (or cluster) that lets the others use them.
__device__ inline void fence_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void arrive(Barrier& barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier)) : "memory");
}
// At the same barrier of another block of the cluster (or of this one). Says that this thread is done with
// reading, not that others see what it wrote: with .release.cluster a matrix product took half as long again.
__device__ inline void arrive_at(Barrier& barrier, std::uint32_t block_rank) {
    asm volatile(
        "{\n.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(shared_address(&barrier)),
        "r"(block_rank)
        : "memory");
}
// Arrives, and announces what the copy engine will bring in this phase: every byte of every box, those beyond
// the tensor's edge included.
__device__ inline void arrive_expecting(Barrier& barrier, std::uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
                 "r"(bytes)
                 : "memory");
}
// Until the phase of this parity has ended.
__device__ inline void wait(Barrier& barrier, std::uint32_t parity) {
    std::uint32_t ended;
    do {
        asm volatile(
            "{\n.reg .pred ended;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
            "selp.u32 %0, 1, 0, ended;\n}"
            : "=r"(ended)
            : "r"(shared_address(&barrier)), "r"(parity)
            : "memory");
    } while (ended == 0);
}

// A position in a ring of `stages` buffers, and the parity of the phase that it is in.
template <int stages>
struct RingPosition {
    int stage = 0;
    std::uint32_t parity = 0;
    __device__ void advance() {
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

// Shared memory that threads have written becomes visible to TMA and wgmma: in each writing thread, before
// the barrier that orders it before the reader.
__device__ inline void fence_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// One thread of the warp, the same each time; the compiler then knows that the branch is uniform.
__device__ inline bool elect_one() {
    std::uint32_t elected;
    asm volatile(
        "{\n.reg .pred elected;\n"
        "elect.sync _|elected, 0xFFFFFFFF;\n"
        "selp.u32 %0, 1, 0, elected;\n}"
        : "=r"(elected));
    return elected != 0;
}
// A barrier of `threads` threads of the block; number 0 is that of __syncthreads().
__device__ inline void sync_threads(int number, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// --- TMA. One thread starts a copy. Coordinates are elements, x the innermost. A load reports its bytes to
// `barrier`; stores are waited for in groups.
__device__ inline void prefetch(const TensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ inline void load(void* to, const TensorMap& from, int x, int y, Barrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
        "%3}], [%4];" ::"r"(shared_address(to)),
        "l"(&from), "r"(x), "r"(y), "r"(shared_address(&barrier))
        : "memory");
}
__device__ inline void load(void* to, const TensorMap& from, int x, int y, int z, Barrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
        "%3, %4}], [%5];" ::"r"(shared_address(to)),
        "l"(&from), "r"(x), "r"(y), "r"(z), "r"(shared_address(&barrier))
        : "memory");
}
__device__ inline void load(void* to, const TensorMap& from, int x, int y, int z, int w, Barrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
        "%3, %4, %5}], [%6];" ::"r"(shared_address(to)),
        "l"(&from), "r"(x), "r"(y), "r"(z), "r"(w), "r"(shared_address(&barrier))
        : "memory");
}
// Into the same place of each block of the cluster whose bit is set, reported to each one's own barrier.
__device__ inline void load_multicast(void* to, const TensorMap& from, int x, int y, Barrier& barrier,
                                      std::uint16_t blocks) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(&from), "r"(x), "r"(y), "r"(shared_address(&barrier)), "h"(blocks)
        : "memory");
}
__device__ inline void store(const TensorMap& to, const void* from, int x, int y) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(x),
        "r"(y), "r"(shared_address(from))
        : "memory");
}
__device__ inline void store(const TensorMap& to, const void* from, int x, int y, int z) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&to),
        "r"(x), "r"(y), "r"(z), "r"(shared_address(from))
        : "memory");
}
__device__ inline void store(const TensorMap& to, const void* from, int x, int y, int z, int w) {
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&to),
        "r"(x), "r"(y), "r"(z), "r"(w), "r"(shared_address(from))
        : "memory");
}
__device__ inline void commit_stores() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Until at most `pending` of this thread's groups still read shared memory, which may then be written again.
template <int pending>
__device__ inline void wait_stores_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

// --- Registers per thread (a multiple of 8, 24 to 240), for all warps of a warpgroup. The kernel needs
// __launch_bounds__(threads, 1). What is taken must have been given before, or at the start.
template <int count>
__device__ inline void give_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}
template <int count>
__device__ inline void take_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

// --- Clusters. A block's rank in its cluster; a barrier of all threads of all its blocks.
__device__ inline std::uint32_t cluster_rank() {
    std::uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ inline void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

}  // namespace kprof::hopper

#endif
