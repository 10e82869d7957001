// One warp per row of W, 16 bytes per lane and load: each load of a warp is one piece of 512 bytes, and the
// lanes add up their sums at the end. At memory's limit. With more tokens a warp takes a few rows at once, so
// that what it reads of x (from L1) serves all of them.
#include "kernels/support/gemv_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

constexpr int width = 8;  // BF16 numbers in 16 bytes
constexpr std::uint32_t block_threads = 128;

// More tokens than eight leave no registers for the sums of four rows.
constexpr int rows_per_warp(std::int64_t tokens) {
    return tokens <= 2 ? 1 : tokens <= 4 || tokens > 8 ? 2 : 4;
}

Geometry geometry(const Call& call) {
    const int rows = rows_per_warp(call.extent[gemv_m]);
    return line_geometry((call.extent[gemv_n] + rows - 1) / rows * 32, block_threads);
}

const char* refuses(const Call& call) {
    if (call.extent[gemv_k] % width != 0) return "k must be a multiple of 8: loads are of 16 bytes";
    return gemv_refuses(call);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <int M, int rows>
__global__ void __launch_bounds__(block_threads, M > 8 ? 3 : 4)
    gemv_warp_per_row(const bf16* x, const bf16* w, bf16* y, int m, std::int64_t n, int k) {
    constexpr int at_once = 4 / rows;  // vectors of a row of W
    using Vector = Pack<bf16, width>;
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const std::int64_t warps = static_cast<int>(blockDim.x) / warp_size;
    const std::int64_t first = (blockIdx.x * warps + warp) * rows;
    if (first >= n) return;
    // Beyond the last row or token: the last one again.
    const Vector* w_row[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
        w_row[r] = reinterpret_cast<const Vector*>(w + (first + r < n ? first + r : n - 1) * k);
    const auto* x_rows = reinterpret_cast<const Vector*>(x);

    float sum[rows][M] = {};
    const int vectors = k / width;
    for (int from = lane; from < vectors; from += at_once * warp_size) {
        // All of them are on their way before the first is needed.
        Vector weights[at_once][rows];
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
#pragma unroll
            for (int r = 0; r < rows; ++r) {
                if (from + j * warp_size < vectors) weights[j][r] = w_row[r][from + j * warp_size];
            }
        }
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
            if (from + j * warp_size >= vectors) break;
            const Vector* next = x_rows + from + j * warp_size;
#pragma unroll
            for (int t = 0; t < M; ++t) {
                const Vector values = *next;
                if (t + 1 < m) next += vectors;
#pragma unroll
                for (int e = 0; e < width; ++e) {
#pragma unroll
                    for (int r = 0; r < rows; ++r)
                        sum[r][t] += to_float(values.at[e]) * to_float(weights[j][r].at[e]);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
        for (int t = 0; t < M; ++t) {
            const float total = warp_sum(sum[r][t]);
            if (lane == 0 && t < m && first + r < n) y[t * n + first + r] = from_float<bf16>(total);
        }
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    for_tokens(call.extent[gemv_m], [&](auto tokens) {
        gemv_warp_per_row<tokens.count, rows_per_warp(tokens.count)>
            <<<grid_of(g), block_of(g)>>>(call.as<const bf16>(gemv_x), call.as<const bf16>(gemv_w),
                                          call.as<bf16>(gemv_y), static_cast<int>(call.extent[gemv_m]),
                                          call.extent[gemv_n], static_cast<int>(call.extent[gemv_k]));
    });
    check_launch("gemv_warp_per_row");
}
#endif

static Variant variant() {
    Variant v = gemv_variant();
    v.name = "warp-per-row";
    v.title = "y = x·Wᵀ for a few tokens, one warp per row of W, 16-byte loads";
    v.expected = "at_limit:dram";
    v.rung = 2;
    v.is_default = true;
    v.geometry = geometry;
    v.refuses = refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
