// RMS norm and the linear layer behind it as two kernels: the normalised rows are written to memory and read
// back, so that x's size crosses memory three times instead of once. Each kernel is at memory's speed: the
// traffic is the bottleneck.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/rmsnorm_linear_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/rmsnorm_linear_product.cuh"
#endif

namespace kprof {
namespace {

constexpr int norm_threads = 256;

// Of the longer kernel, the norm, which reads and writes: a block per row, a partial sum per warp.
Geometry geometry(const Call& call) {
    Geometry g;
    g.grid[0] = static_cast<std::uint32_t>(call.extent[rmsnorm_linear_tokens]);
    g.block[0] = norm_threads;
    g.smem_static = norm_threads / 32 * 4;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// One block per row. The second walk over it finds it in L1.
__global__ void rmsnorm_rows(const bf16* x, const bf16* gain, bf16* normalised, std::int64_t d) {
    __shared__ float warp_sums[norm_threads / warp_size];
    const std::int64_t row = blockIdx.x;
    float squares = 0;
    for (std::int64_t k = threadIdx.x * 8; k < d; k += norm_threads * 8) {
        squares += sum_of_squares(eight_at(x, row, k, d));
    }
    const float mean = block_sum(squares, warp_sums) / static_cast<float>(d);
    const float scale = rsqrtf(mean + rmsnorm_linear_epsilon);
    for (std::int64_t k = threadIdx.x * 8; k < d; k += norm_threads * 8) {
        auto v = *reinterpret_cast<const EightBf16*>(x + row * d + k);
        const auto g = *reinterpret_cast<const EightBf16*>(gain + k);
#pragma unroll
        for (int i = 0; i < 8; ++i) v.at[i] = from_float<bf16>(to_float(v.at[i]) * scale * to_float(g.at[i]));
        *reinterpret_cast<EightBf16*>(normalised + row * d + k) = v;
    }
}

__global__ void __launch_bounds__(product_threads, 2)
    linear_rows(const bf16* normalised, const bf16* w, bf16* y, std::int64_t tokens, std::int64_t d,
                std::int64_t out) {
    product_of_rows<false>(normalised, nullptr, w, y, tokens, d, out);
}

static void launch(const Call& call) {
    const std::int64_t tokens = call.extent[rmsnorm_linear_tokens], d = call.extent[rmsnorm_linear_depth];
    auto* normalised = call.as<bf16>(rmsnorm_linear_scratch);
    const Geometry norm = geometry(call), g = rmsnorm_linear_product_geometry(call);
    rmsnorm_rows<<<grid_of(norm), block_of(norm)>>>(call.as<const bf16>(rmsnorm_linear_x),
                                                    call.as<const bf16>(rmsnorm_linear_gain), normalised, d);
    check_launch("rmsnorm_rows");
    linear_rows<<<grid_of(g), block_of(g)>>>(normalised, call.as<const bf16>(rmsnorm_linear_w),
                                             call.as<bf16>(rmsnorm_linear_y), tokens, d,
                                             call.extent[rmsnorm_linear_out]);
    check_launch("linear_rows");
}

static int launches(const Call& /*call*/) {
    return 2;
}
#endif

static Variant variant() {
    Variant v = rmsnorm_linear_variant();
    v.name = "unfused";
    v.title = "rmsnorm(x)·Wᵀ: a kernel for the norm, then one for the product";
    v.buffers.push_back({"normalised rows", rmsnorm_linear_elements, Element::of_call, Role::scratch});
    v.expected = "dram_traffic";
    v.twin = "fused";
    v.rung = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.launches = launches;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
