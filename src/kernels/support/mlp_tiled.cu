#include "kernels/support/mlp_tiled.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/mlp_gelu.cuh"
#endif

namespace kprof {

Geometry mlp_tile_geometry(std::int64_t rows, std::int64_t width) {
    return tile_geometry(rows, width, mlp_tile, mlp_tile, 16, 16, mlp_tile_smem);
}

#ifdef KPROF_WITH_CUDA
// What becomes of an element of the product.
struct MlpLayerEnd {
    float* z;
    float* y;
    __device__ void operator()(std::int64_t at, float x) const {
        if (z != nullptr) z[at] = x;
        if (y != nullptr) y[at] = gelu(x);
    }
};
struct MlpWeightGradientEnd {
    float* out;
    __device__ void operator()(std::int64_t at, float x) const { out[at] = x; }
};
struct MlpZGradientEnd {
    const float* z;
    float* out;
    __device__ void operator()(std::int64_t at, float x) const { out[at] = x * gelu_slope(z[at]); }
};

using Tile = float[mlp_tile_depth][mlp_tile + mlp_tile_padding];

// 64 lines of an operand (rows of A, columns of B), 16 deep; zeros beyond the edges. `along_lines`:
// neighbours in memory are neighbouring lines, or else neighbours in depth; neighbouring threads follow them.
template <bool along_lines>
__device__ static void load_tile(Tile& tile, const float* from, unsigned line, unsigned lines, unsigned start,
                                 unsigned depth, std::int64_t width) {
    const unsigned thread = threadIdx.y * 16 + threadIdx.x;
#pragma unroll
    for (unsigned step = 0; step < mlp_tile * mlp_tile_depth / 256; ++step) {
        const unsigned i = thread + step * 256;
        const unsigned l = along_lines ? i % mlp_tile : i / mlp_tile_depth;
        const unsigned k = along_lines ? i / mlp_tile : i % mlp_tile_depth;
        const bool inside = line + l < lines && start + k < depth;
        const std::int64_t at = along_lines ? (start + k) * width + line + l : (line + l) * width + start + k;
        tile[k][l] = inside ? from[at] : 0.0F;
    }
}

// rows x width, from rows x depth and depth x width. Transposed operands lie in memory the other way round;
// all of the matrices are `width` wide there.
template <bool a_transposed, bool b_transposed, typename End>
__global__ void __launch_bounds__(256)
    mlp_product(const float* a, const float* b, unsigned rows, unsigned depth, unsigned width, End end) {
    alignas(16) __shared__ Tile a_tile, b_tile;
    const unsigned row = (blockIdx.z * gridDim.y + blockIdx.y) * mlp_tile, column = blockIdx.x * mlp_tile;
    if (row >= rows) return;
    float sum[4][4] = {};
    for (unsigned start = 0; start < depth; start += mlp_tile_depth) {
        load_tile<a_transposed>(a_tile, a, row, rows, start, depth, width);
        load_tile<!b_transposed>(b_tile, b, column, width, start, depth, width);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < mlp_tile_depth; ++k) {
            const auto x = *reinterpret_cast<const Pack<float, 4>*>(&a_tile[k][threadIdx.y * 4]);
            const auto y = *reinterpret_cast<const Pack<float, 4>*>(&b_tile[k][threadIdx.x * 4]);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] = fmaf(x.at[i], y.at[j], sum[i][j]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            const unsigned r = row + threadIdx.y * 4 + i, c = column + threadIdx.x * 4 + j;
            if (r < rows && c < width) end(static_cast<std::int64_t>(r) * width + c, sum[i][j]);
        }
    }
}

template <bool a_transposed, bool b_transposed, typename End>
static void product(const float* a, const float* b, std::int64_t rows, std::int64_t depth, std::int64_t width,
                    const End& end) {
    const Geometry g = mlp_tile_geometry(rows, width);
    mlp_product<a_transposed, b_transposed><<<grid_of(g), block_of(g)>>>(
        a, b, static_cast<unsigned>(rows), static_cast<unsigned>(depth), static_cast<unsigned>(width), end);
    check_launch("mlp_product");
}

void MlpTiled::layer(const float* x, const float* w, float* z, float* y) {
    product<false, false>(x, w, shape_.batch, shape_.width, shape_.width, MlpLayerEnd{z, y});
}

void MlpTiled::weight_gradient(const float* x, const float* z_gradient, float* w_gradient) {
    product<true, false>(x, z_gradient, shape_.width, shape_.batch, shape_.width,
                         MlpWeightGradientEnd{w_gradient});
}

void MlpTiled::z_gradient(const float* z_gradient, const float* w, const float* z, float* before) {
    product<false, true>(z_gradient, w, shape_.batch, shape_.width, shape_.width, MlpZGradientEnd{z, before});
}
#endif

}  // namespace kprof
