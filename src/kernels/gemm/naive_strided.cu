// The kernel of gemm/naive with the threads of a warp along m instead of n: in A and C neighbours lie a whole
// row apart, so that one load of a warp touches 32 lines of memory where naive touches one or four.
#include "kernels/support/gemm_family.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof {
namespace {

constexpr int tile = 32;

// Rows of C on the grid's x, columns on y (and z).
Geometry geometry(const GemmCall& call) {
    return tile_geometry(call.n, call.m, tile, tile, tile, tile, 0);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void gemm_naive_strided(const float* a, const float* b, float* c, int m, int n, int k) {
    const unsigned row = blockIdx.x * tile + threadIdx.x;  // the planted mistake: x should run along n
    const unsigned col = (blockIdx.z * gridDim.y + blockIdx.y) * tile + threadIdx.y;
    if (row >= static_cast<unsigned>(m) || col >= static_cast<unsigned>(n)) return;
    const float* a_row = a + static_cast<std::size_t>(row) * k;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a_row[i] * b[static_cast<std::size_t>(i) * n + col];
    c[static_cast<std::size_t>(row) * n + col] = sum;
}

static void launch(const GemmCall& call) {
    const Geometry g = geometry(call);
    gemm_naive_strided<<<grid_of(g), block_of(g)>>>(static_cast<const float*>(call.a),
                                                    static_cast<const float*>(call.b),
                                                    static_cast<float*>(call.c), call.m, call.n, call.k);
    check_launch("gemm_naive_strided");
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "naive-strided";
    v.title = "one thread per element of C, neighbours a row of A apart, FP32";
    v.dtypes = {DType::fp32};
    v.expected = "coalescing";
    v.twin = "naive";
    v.rung = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
