// The loops that roofs are measured with, one launch a call, on the legacy default stream. Each does one
// thing as fast as the GPU can, and nothing else. No CUDA header: host code sees only this.
#pragma once

#include <cstdint>

namespace kprof::loops {

// --- DRAM. Vectors of 16 bytes; each thread has `per_thread` (1, 4 or 8) accesses under way. `vectors` must
// be a multiple of 8,192. read needs a; write out; copy a and out; triad a, b and out.
enum class Access { read, write, copy, triad };
void stream(Access access, int per_thread, int threads, const void* a, const void* b, void* out,
            std::int64_t vectors, unsigned* sink);
int buffers_of(Access access);  // moved once each

// --- Caches. Every block (one an SM, 1,024 threads) reads its own `bytes_per_block` of `data` (a multiple of
// 16 KB) again and again: `loads` (a multiple of 4) times 16 bytes a thread.
void read_set(bool through_l1, const void* data, std::int64_t bytes_per_block, std::int64_t loads, int blocks,
              unsigned* sink);
// Every block (256 threads, eight an SM) reads 16 KB of one common set of `bytes` (a multiple of 16 KB) in
// each of `passes`, another one each time, past L1.
void read_common(const void* data, std::int64_t bytes, std::int64_t passes, int blocks, unsigned* sink);
inline constexpr std::int64_t common_chunk = 16 * 1024;
void read_shared(std::int64_t loads, int blocks, unsigned* sink);
inline constexpr std::int64_t block_bytes_per_load = 1024 * 16;

// --- Arithmetic in registers: independent chains in every thread.
enum class Arithmetic { fp64, fp32, fp16, bf16, ex2, sin };
void arithmetic(Arithmetic kind, int blocks, int iterations, unsigned* sink);
// FLOP (of ex2 and sin: results) of one launch; an FMA counts as two.
double arithmetic_work(Arithmetic kind, int blocks, int iterations);

// --- Tensor cores. `random` are operands of the type (at least operand_bytes of them). A device for which
// the instruction was not compiled leaves *done as it was; else it becomes 1.
enum class Matrix { fp64, tf32, bf16, fp16, fp8, int8 };
inline constexpr std::int64_t operand_bytes = 1 << 20;
void mma_sync(Matrix type, int blocks, int iterations, const void* random, unsigned* sink, unsigned* done);
double mma_sync_work(Matrix type, bool sm90, int blocks, int iterations);
void wgmma(Matrix type, int blocks, int iterations, const void* random, unsigned* sink, unsigned* done);
double wgmma_work(Matrix type, int blocks, int iterations);
// Uniform over all values: for int8.
void random_bytes(void* data, std::int64_t bytes, std::uint32_t seed);

// --- Launches. `stream` is a cudaStream_t.
void empty(void* stream);
void spin(std::int64_t cycles, void* stream);

}  // namespace kprof::loops
