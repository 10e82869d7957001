#include "kernels/support/gemm_reference.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/launch_check.hpp"

namespace kprof {

// The sum over all threads of a block of 32 ... 1024 threads; valid in thread 0.
__device__ static double block_sum(double x) {
    __shared__ double of_warp[32];
    for (int lane = 16; lane > 0; lane /= 2) x += __shfl_down_sync(0xFFFFFFFF, x, lane);
    __syncthreads();  // an earlier call may still read of_warp
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x < 32) {
        x = threadIdx.x < (blockDim.x + 31) / 32 ? of_warp[threadIdx.x] : 0;
        for (int lane = 16; lane > 0; lane /= 2) x += __shfl_down_sync(0xFFFFFFFF, x, lane);
    }
    return x;
}

__device__ static void add_error(double out, double reference, ErrorSums* sums) {
    if (!isfinite(out)) {
        atomicAdd(&sums->not_finite, 1ULL);
        return;
    }
    const double error = fabs(out - reference);
    atomicAdd(&sums->error_squared, error * error);
    atomicAdd(&sums->reference_squared, reference * reference);
    // Doubles that are not negative order like their bits.
    atomicMax(reinterpret_cast<unsigned long long*>(&sums->largest_error),
              static_cast<unsigned long long>(__double_as_longlong(error)));
}

// One block per element, its threads along k.
template <typename T>
__global__ void compare_elements_kernel(const T* a, const T* b, const T* c, int n, int k, const int* rows,
                                        const int* columns, ErrorSums* sums) {
    const std::size_t row = rows[blockIdx.y], column = columns[blockIdx.x];
    double sum = 0;
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(k); i += blockDim.x) {
        sum += value_of(a[row * k + i]) * value_of(b[static_cast<std::size_t>(i) * n + column]);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) add_error(value_of(c[row * n + column]), sum, sums);
}

__global__ void fill_signs(double* x, int n, unsigned long long seed) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < static_cast<unsigned>(n)) x[i] = (mixed((seed << 40) + i) & 1) != 0 ? 1.0 : -1.0;
}

// The dot product of one row with v, by a block; valid in thread 0.
template <typename T>
__device__ static double row_dot(const T* row, const double* v, int length) {
    double sum = 0;
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(length); i += blockDim.x) {
        sum += value_of(row[i]) * v[i];
    }
    return block_sum(sum);
}

// y = B·x, one block per row of B.
template <typename T>
__global__ void project_b(const T* b, const double* x, double* y, int n) {
    const double sum = row_dot(b + static_cast<std::size_t>(blockIdx.x) * n, x, n);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// (C·x)[row] against (A·y)[row], one block per row of C.
template <typename T>
__global__ void compare_projections_kernel(const T* a, const T* c, const double* x, const double* y, int n,
                                           int k, ErrorSums* sums) {
    const T* c_row = c + static_cast<std::size_t>(blockIdx.x) * n;
    double out = 0;
    unsigned long long not_finite = 0;
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(n); i += blockDim.x) {
        const double value = value_of(c_row[i]);
        if (isfinite(value)) {
            out += value * x[i];
        } else {
            ++not_finite;
        }
    }
    if (not_finite > 0) atomicAdd(&sums->not_finite, not_finite);
    out = block_sum(out);
    const double reference = row_dot(a + static_cast<std::size_t>(blockIdx.x) * k, y, k);
    if (threadIdx.x == 0) add_error(out, reference, sums);
}

// Threads for a sum of `length` terms: whole warps, at least 8 terms each, at most 512.
static unsigned threads_for(int length) {
    unsigned threads = 32;
    while (threads < 512 && threads * 8U < static_cast<unsigned>(length)) threads *= 2;
    return threads;
}

template <typename T>
static void compare_elements_as(const GemmCall& call, const int* rows, int row_count, const int* columns,
                                int column_count, ErrorSums* sums) {
    const dim3 grid(static_cast<unsigned>(column_count), static_cast<unsigned>(row_count));
    compare_elements_kernel<<<grid, threads_for(call.k)>>>(
        static_cast<const T*>(call.a), static_cast<const T*>(call.b), static_cast<const T*>(call.c), call.n,
        call.k, rows, columns, sums);
    check_launch("compare_elements");
}

template <typename T>
static void compare_projections_as(const GemmCall& call, unsigned seed, double* x, double* y,
                                   ErrorSums* sums) {
    fill_signs<<<(static_cast<unsigned>(call.n) + 255) / 256, 256>>>(x, call.n, seed);
    check_launch("fill_signs");
    project_b<<<static_cast<unsigned>(call.k), threads_for(call.n)>>>(static_cast<const T*>(call.b), x, y,
                                                                      call.n);
    check_launch("project_b");
    const unsigned threads = threads_for(call.n > call.k ? call.n : call.k);
    compare_projections_kernel<<<static_cast<unsigned>(call.m), threads>>>(
        static_cast<const T*>(call.a), static_cast<const T*>(call.c), x, y, call.n, call.k, sums);
    check_launch("compare_projections");
}

void compare_elements(const GemmCall& call, const int* rows, int row_count, const int* columns,
                      int column_count, ErrorSums* sums) {
    if (call.dtype == DType::bf16) {
        compare_elements_as<__nv_bfloat16>(call, rows, row_count, columns, column_count, sums);
    } else if (call.dtype == DType::fp16) {
        compare_elements_as<__half>(call, rows, row_count, columns, column_count, sums);
    } else {
        compare_elements_as<float>(call, rows, row_count, columns, column_count, sums);
    }
}

void compare_projections(const GemmCall& call, unsigned seed, double* x, double* y, ErrorSums* sums) {
    if (call.dtype == DType::bf16) {
        compare_projections_as<__nv_bfloat16>(call, seed, x, y, sums);
    } else if (call.dtype == DType::fp16) {
        compare_projections_as<__half>(call, seed, x, y, sums);
    } else {
        compare_projections_as<float>(call, seed, x, y, sums);
    }
}

}  // namespace kprof
#endif
