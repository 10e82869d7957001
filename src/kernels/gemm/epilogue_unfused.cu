// cuBLAS writes A·B, then a second kernel reads it, adds the bias, applies GELU and writes it again: C passes
// through memory three times where once would do. The second kernel itself runs at the speed of DRAM.
#include "kernels/support/gemm_epilogue.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

int launches(const GemmCall& /*call*/) {
    return 2;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
constexpr int width = 8;  // elements that move together, 16 bytes
constexpr int block = 256;

// GELU's tanh form, x/2 · (1 + tanh u), written as x / (1 + exp(-2u)): two special functions instead of a
// dozen instructions. For large -u the divisor is infinite and the result 0, as it should be.
__device__ static float gelu(float x) {
    const float u = 0.79788456F * (x + 0.044715F * x * x * x);
    return __fdividef(x, 1.0F + __expf(-2.0F * u));
}

// One block per row and 2,048 of its columns, so that no thread has to divide.
__global__ void bias_gelu(bf16* c, const bf16* bias, int m, int n) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
    const std::int64_t column = (static_cast<std::int64_t>(blockIdx.x) * block + threadIdx.x) * width;
    if (row >= m || column >= n) return;
    using Vector = Pack<bf16, width>;
    const Vector add = *reinterpret_cast<const Vector*>(bias + column);
    bf16* at = c + row * n + column;
    Vector x = *reinterpret_cast<const Vector*>(at);
#pragma unroll
    for (int i = 0; i < width; ++i) x.at[i] = from_float<bf16>(gelu(to_float(x.at[i]) + to_float(add.at[i])));
    *reinterpret_cast<Vector*>(at) = x;
}

static void launch(const GemmCall& call) {
    cublas_gemm(call);
    const Geometry g = tile_geometry(call.m, call.n, 1, block * width, block, 1, 0);
    bias_gelu<<<grid_of(g), block_of(g)>>>(static_cast<bf16*>(call.c), static_cast<const bf16*>(call.bias),
                                           call.m, call.n);
    check_launch("bias_gelu");
}
#endif

static GemmVariant variant() {
    GemmVariant v = epilogue_variant();
    v.name = "epilogue-unfused";
    v.title = "GELU(AB + bias): cuBLAS, then a kernel for bias and GELU";
    v.expected = "dram_traffic";
    v.twin = "epilogue-fused";
    v.rung = 12;
    v.launches = launches;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.open = cublas_open;
    v.close = cublas_close;
#endif
    return v;
}

static const RegisterGemm registration{variant()};

}  // namespace kprof
