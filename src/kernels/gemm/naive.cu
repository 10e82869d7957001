// One thread per element of C, every operand straight from memory: the first kernel that people write. Reads
// are coalesced (x runs along n), the caches serve most of them, and the tensor cores stay idle.
#include "kernels/support/gemm_family.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof {
namespace {

constexpr int tile = 32;

Geometry geometry(const GemmCall& call) {
    return tile_geometry(call.m, call.n, tile, tile, tile, tile, 0);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// The form matters at 4096³ on an H200: this one takes 21 ms; a running pointer into B 27 ms, because the
// compiler then keeps fewer loads in flight; a 64-bit loop index 47 ms.
__global__ void gemm_naive(const float* a, const float* b, float* c, int m, int n, int k) {
    const unsigned row = (blockIdx.z * gridDim.y + blockIdx.y) * tile + threadIdx.y;
    const unsigned col = blockIdx.x * tile + threadIdx.x;
    if (row >= static_cast<unsigned>(m) || col >= static_cast<unsigned>(n)) return;
    const float* a_row = a + static_cast<std::size_t>(row) * k;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a_row[i] * b[static_cast<std::size_t>(i) * n + col];
    c[static_cast<std::size_t>(row) * n + col] = sum;
}

static void launch(const GemmCall& call) {
    const Geometry g = geometry(call);
    gemm_naive<<<grid_of(g), block_of(g)>>>(static_cast<const float*>(call.a),
                                            static_cast<const float*>(call.b), static_cast<float*>(call.c),
                                            call.m, call.n, call.k);
    check_launch("gemm_naive");
}
#endif

static GemmVariant variant() {
    GemmVariant v;
    v.name = "naive";
    v.title = "one thread per element of C, operands straight from memory, FP32";
    v.dtypes = {DType::fp32};
    v.expected = "tensor_cores";
    v.twin = "cublas";
    v.rung = 2;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
