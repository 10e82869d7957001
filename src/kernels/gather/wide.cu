// Rows of 512 bytes and more in random order, a warp for each: every line that is brought in is used whole,
// so that the random order costs little and DRAM is the limit.
#include "kernels/support/gather_family.hpp"
#include "kernels/support/launch_check.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

constexpr int rows_per_warp =
    4;  // on their way together: a row's number must be there before its load starts

Geometry geometry(const Call& call) {
    const std::int64_t warps = (gather_shape(call).tokens + rows_per_warp - 1) / rows_per_warp;
    return line_geometry(warps * 32, gather_threads);
}

const char* refuses(const Call& call) {
    return gather_shape(call).width % 4 == 0 ? nullptr
                                             : "width must be a multiple of 4: loads are of 16 bytes";
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// `lanes` lanes serve a token: a warp of CUDA, half a wavefront of AMD.
constexpr int lanes = 32;

__global__ void __launch_bounds__(gather_threads)
    gather_wide(const float4* table, const int* index, float4* out, std::int64_t tokens,
                std::int64_t vectors) {
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t first = thread / lanes * rows_per_warp;
    if (first >= tokens) return;
    const float4* from[rows_per_warp];
    float4* to[rows_per_warp];
#pragma unroll
    for (int k = 0; k < rows_per_warp; ++k) {
        // Behind the last token: the last once more, so that the loads need no condition.
        const std::int64_t token = first + k < tokens ? first + k : tokens - 1;
        from[k] = table + index[token] * vectors;
        to[k] = out + token * vectors;
    }
#pragma unroll 1
    for (std::int64_t v = thread % lanes; v < vectors; v += lanes) {
        float4 loaded[rows_per_warp];
#pragma unroll
        for (int k = 0; k < rows_per_warp; ++k) loaded[k] = from[k][v];
#pragma unroll
        for (int k = 0; k < rows_per_warp; ++k) to[k][v] = loaded[k];
    }
}

static void launch(const Call& call) {
    const GatherShape s = gather_shape(call);
    const Geometry g = geometry(call);
    gather_wide<<<grid_of(g), block_of(g)>>>(call.as<const float4>(gather_table),
                                             call.as<const int>(gather_index), call.as<float4>(gather_out),
                                             s.tokens, s.width / 4);
    check_launch("gather_wide");
}
#endif

static Variant variant() {
    Variant v = gather_variant();
    v.name = "wide";
    v.title = "rows of 512 bytes in random order, a warp for each";
    v.default_shape = {std::int64_t{1} << 21, 128, std::int64_t{1} << 21};
    v.expected = "at_limit:dram";
    v.rung = 3;
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
