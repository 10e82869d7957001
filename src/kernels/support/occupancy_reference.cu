// Links and weights of occupancy, and the weighted means in FP64. The reference finds a page by its formula,
// not by the links.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/occupancy_family.hpp"

namespace kprof {

__global__ void occupancy_link(float* pages, int* heads, std::int64_t lists, std::int64_t count,
                               std::int64_t stride_of_pages) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < count;
         at += stride) {
        const std::int64_t page = at * stride_of_pages % count;
        const std::int64_t next = (at + lists) % count * stride_of_pages % count;
        pages[(page * page_quads + page_link) * 4] = __int_as_float(static_cast<int>(next));
        if (at < lists) heads[at] = static_cast<int>(page);
    }
}

__global__ void occupancy_make_positive(float* weights, std::int64_t count) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < count;
         at += stride) {
        weights[at] += 1.25F;
    }
}

__global__ void occupancy_expected(const float* pages, const float* weights, std::int64_t lists,
                                   std::int64_t hops, std::int64_t stride_of_pages,
                                   const std::int64_t* groups, std::int64_t count, double* expected) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         at < count * page_numbers; at += stride) {
        const std::int64_t list = groups[at / page_numbers], e = at % page_numbers;
        double sum = 0, total = 0;
        for (std::int64_t h = 0; h < hops; ++h) {
            const std::int64_t page = (h * lists + list) * stride_of_pages % (lists * hops);
            const double weight = weights[h * page_quads * 4 + e];
            sum += weight * static_cast<double>(pages[page * page_quads * 4 + e]);
            total += weight;
        }
        expected[at] = sum / total;
    }
}

void occupancy_prepare(const Call& call) {
    const std::int64_t lists = call.extent[occupancy_lists], hops = call.extent[occupancy_hops];
    occupancy_link<<<2048, 256>>>(call.as<float>(occupancy_pages), call.as<int>(occupancy_heads), lists,
                                  lists * hops, page_stride(lists * hops));
    check_launch("occupancy_link");
    occupancy_make_positive<<<256, 256>>>(call.as<float>(occupancy_weights), hops * page_quads * 4);
    check_launch("occupancy_make_positive");
}

void occupancy_reference(const ReferenceCall& call) {
    const Call& c = call.call;
    const std::int64_t lists = c.extent[occupancy_lists], hops = c.extent[occupancy_hops];
    occupancy_expected<<<2048, 256>>>(c.as<const float>(occupancy_pages),
                                      c.as<const float>(occupancy_weights), lists, hops,
                                      page_stride(lists * hops), call.groups, call.count, call.expected);
    check_launch("occupancy_expected");
}

}  // namespace kprof
#endif
