// What the variants of cache share. Each re-reads a small set of data from one level of the memory on the
// chip; so the minimum bytes, which come from DRAM once, say nothing about its time, and the roofs of the
// caches do.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

// Sums of a set of n floats, read `passes` times over. Buffers: x, sums.
Variant cache_sums_variant();

constexpr std::int64_t l2_chunk = 4096;  // floats that a block of l2-resident reads in a pass
constexpr std::int64_t l1_blocks = 1024;

// Every element's own polynomial: y = ((t[s] x + t[s+1]) x + t[s+2]) x ..., with `lookups` coefficients from
// a table, beginning at s = the element's number modulo half of the table. Buffers: x, y.
Variant cache_table_variant();

constexpr int table_size = 2048, table_starts = table_size / 2;  // floats: 8 KB

#ifdef KPROF_WITH_CUDA
void l2_sums_reference(const ReferenceCall& call);  // one sum per chunk
void l1_sums_reference(const ReferenceCall& call);  // l1_blocks equal sums
void table_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
