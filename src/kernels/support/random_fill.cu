#include "kernels/support/random_fill.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/fp8.cuh"
#include "kernels/support/launch_check.hpp"

namespace kprof {

__device__ static void store(double x, double* to) {
    *to = x;
}
__device__ static void store(double x, float* to) {
    *to = static_cast<float>(x);
}
__device__ static void store(double x, __nv_bfloat16* to) {
    *to = __float2bfloat16(static_cast<float>(x));
}
__device__ static void store(double x, __half* to) {
    *to = __float2half(static_cast<float>(x));
}
#if !defined(__HIP__)
__device__ static void store(double x, fp8* to) {
    *to = fp8(static_cast<float>(x));
}
#endif

// TF32: FP32 with the mantissa rounded to 10 bits, so that the tensor cores lose nothing of the inputs.
__device__ static float rounded_to_tf32(float x) {
    unsigned bits = 0;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}

template <typename T>
__global__ void fill_uniform(T* data, long long n, unsigned long long seed, bool to_tf32) {
    const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
        // 24 random bits: exact in FP32, and in [-1, 1) after scaling.
        const auto bits = static_cast<int>(mixed(seed + static_cast<unsigned long long>(i)) >> 40);
        float x = static_cast<float>(bits) * (1.0F / 8388608.0F) - 1.0F;
        if (to_tf32) x = rounded_to_tf32(x);
        store(x, data + i);
    }
}

// Seeds lie 2^40 counters apart, so that no two arrays share numbers.
template <typename T>
static void fill_as(void* data, std::int64_t n, std::uint64_t seed, bool to_tf32) {
    fill_uniform<<<2048, 256>>>(static_cast<T*>(data), n, static_cast<unsigned long long>(seed) << 40,
                                to_tf32);
    check_launch("fill_uniform");
}

void fill_random(void* data, std::int64_t n, DType dtype, std::uint64_t seed) {
    if (dtype == DType::fp64) {
        fill_as<double>(data, n, seed, false);
    } else if (dtype == DType::bf16) {
        fill_as<__nv_bfloat16>(data, n, seed, false);
    } else if (dtype == DType::fp16) {
        fill_as<__half>(data, n, seed, false);
#if !defined(__HIP__)
    } else if (dtype == DType::fp8) {
        fill_as<fp8>(data, n, seed, false);
#endif
    } else {
        fill_as<float>(data, n, seed, dtype == DType::tf32);
    }
}

}  // namespace kprof
#endif
