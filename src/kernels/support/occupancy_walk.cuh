// A walk along linked pages (occupancy_family.hpp).
#pragma once

#include "kernels/support/device.cuh"
#include "kernels/support/occupancy_family.hpp"

namespace kprof {

using Quad = Pack<float, 4>;

__device__ inline void add_product(Quad& sum, const Quad& a, const Quad& b) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.at[i] = fmaf(a.at[i], b.at[i], sum.at[i]);
}

// The link lies in the page itself, and every thread of the warp reads it.
__device__ inline int next_page(const Quad* page) {
    return __float_as_int(page[page_link].at[0]);
}

__device__ inline const Quad* page_at(const Quad* pages, int page) {
    return pages + static_cast<std::int64_t>(page) * page_quads;
}

__device__ inline int lane_of_page() {
    return static_cast<int>(threadIdx.x) % page_quads;
}

// The number of this thread's group of 32 in the grid.
__device__ inline std::int64_t walker() {
    return (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / page_quads;
}

// Walks `together` lists at once, from list walker() * together on: so many pages are in flight a warp. The
// sum is divided by that of the weights at the end: a thread holds one weight at a time.
template <int together>
__device__ inline void walk_lists(const Quad* pages, const int* heads, const Quad* weights, Quad* out,
                                  std::int64_t lists, int hops) {
    const std::int64_t first = walker() * together;
    const int lane = lane_of_page();
    if (first >= lists) return;
    int page[together];
    Quad sum[together] = {}, total = {};
#pragma unroll
    for (int t = 0; t < together; ++t) {
        // Beyond the last list: that list again.
        page[t] = heads[first + t < lists ? first + t : lists - 1];
    }
#pragma unroll 1
    for (int h = 0; h < hops; ++h) {
        Quad value[together];
#pragma unroll
        for (int t = 0; t < together; ++t) {
            const Quad* at = page_at(pages, page[t]);
            value[t] = at[lane];
            page[t] = next_page(at);
        }
        const Quad weight = weights[h * page_quads + lane];
#pragma unroll
        for (int t = 0; t < together; ++t) add_product(sum[t], weight, value[t]);
#pragma unroll
        for (int i = 0; i < 4; ++i) total.at[i] += weight.at[i];
    }
    if (lane == page_link) return;
#pragma unroll
    for (int t = 0; t < together; ++t) {
        if (first + t >= lists) return;
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[t].at[i] /= total.at[i];
        out[(first + t) * page_link + lane] = sum[t];
    }
}

}  // namespace kprof
