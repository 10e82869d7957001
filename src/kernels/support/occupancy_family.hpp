// What the variants of occupancy share: linked lists of pages, as in paged caches and in pools of fixed
// blocks. A page of 512 bytes holds 31 x 4 numbers and the number of the next page, so that nothing can be
// loaded before the page before it has arrived: only other lists can fill that time. For each list the
// weighted mean of its pages is wanted, out[e] = sum over h of w[h][e] page_h[e], divided by the sum of
// w[h][e]. A warp (32 threads, four numbers each) walks a list. Extents: lists, hops (pages a list).
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum OccupancyExtent { occupancy_lists, occupancy_hops };
enum OccupancyBuffer { occupancy_pages, occupancy_heads, occupancy_weights, occupancy_out };

constexpr int page_quads = 32;  // of four numbers each; the last holds the link in its first
constexpr int page_link = page_quads - 1;
constexpr int page_numbers = 4 * page_link;

// Page number of hop h of a list is ((h * lists + list) * stride) mod pages: all over memory. The stride is
// the first number from 0.618 pages on that has no divisor in common with their number, so that all are
// different.
std::int64_t page_stride(std::int64_t pages);

// Blocks of `threads` threads, of which each 32 walk `together` lists.
Geometry occupancy_geometry(const Call& call, std::uint32_t threads, int together);

// Everything but name, title, label, geometry and launch.
Variant occupancy_variant();

// Shared memory for the weights of so many hops. With two blocks an SM, or one, that would be all of it.
constexpr std::int64_t occupancy_hops_in_smem = 256;
constexpr std::int64_t occupancy_weight_bytes = page_quads * 16;
const char* occupancy_smem_refuses(const Call& call);

#ifdef KPROF_WITH_CUDA
// Writes links, heads and positive weights.
void occupancy_prepare(const Call& call);
// FP64. A group is the row of a list.
void occupancy_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
