// One thread per row of W: the loop that one would write first. Neighbouring threads read addresses a whole
// row apart, so that each load of a warp touches 32 lines for 64 bytes of use: L1 takes them one by one, and
// memory waits.
#include "kernels/support/gemv_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return line_geometry(call.extent[gemv_n], 128);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <int M>
__global__ void gemv_thread_per_row(const bf16* x, const bf16* w, bf16* y, int m, std::int64_t n, int k) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const bf16* w_row = w + row * k;
    const bf16* x_row[M];
#pragma unroll
    for (int t = 0; t < M; ++t) x_row[t] = x + static_cast<std::int64_t>(t < m ? t : m - 1) * k;
    float sum[M] = {};
    for (int i = 0; i < k; ++i) {
        const float weight = to_float(w_row[i]);
#pragma unroll
        for (int t = 0; t < M; ++t) sum[t] += to_float(x_row[t][i]) * weight;
    }
#pragma unroll
    for (int t = 0; t < M; ++t) {
        if (t < m) y[t * n + row] = from_float<bf16>(sum[t]);
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    for_tokens(call.extent[gemv_m], [&](auto tokens) {
        gemv_thread_per_row<tokens.count>
            <<<grid_of(g), block_of(g)>>>(call.as<const bf16>(gemv_x), call.as<const bf16>(gemv_w),
                                          call.as<bf16>(gemv_y), static_cast<int>(call.extent[gemv_m]),
                                          call.extent[gemv_n], static_cast<int>(call.extent[gemv_k]));
    });
    check_launch("gemv_thread_per_row");
}
#endif

static Variant variant() {
    Variant v = gemv_variant();
    v.name = "thread-per-row";
    v.title = "y = x·Wᵀ for a few tokens, one thread per row of W";
    v.expected = "coalescing";
    v.twin = "warp-per-row";
    v.rung = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
