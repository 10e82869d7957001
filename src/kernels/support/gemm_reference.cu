#include "kernels/support/gemm_reference.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/fp8.cuh"
#include "kernels/support/launch_check.hpp"

namespace kprof {

// The sum over all threads of a block; valid in thread 0.
__device__ static double sum_of_block(double x) {
    __shared__ double of_warp[1024 / warp_size];
    return block_sum(x, of_warp);
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

// GELU's tanh form (Hendrycks, Gimpel 2016), the one that cuBLASLt's epilogue and PyTorch's
// approximate="tanh" compute.
__device__ static double gelu(double x) {
    constexpr double root_of_2_by_pi = 0.7978845608028654;
    return 0.5 * x * (1 + tanh(root_of_2_by_pi * (x + 0.044715 * x * x * x)));
}

// The three matrices as their types, and the bias or null.
template <typename In, typename Out>
struct Matrices {
    const In* a;
    const In* b;
    const Out* c;
    const Out* bias;
    int m, n, k;
    std::int64_t lda, ldb, ldc;
};

// One block per element, its threads along k.
template <typename In, typename Out>
__global__ void compare_elements_kernel(Matrices<In, Out> x, const int* rows, const int* columns,
                                        ErrorSums* sums) {
    const std::int64_t row = rows[blockIdx.y], column = columns[blockIdx.x];
    double sum = 0;
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(x.k); i += blockDim.x) {
        sum += value_of(x.a[row * x.lda + i]) * value_of(x.b[i * x.ldb + column]);
    }
    sum = sum_of_block(sum);
    if (threadIdx.x != 0) return;
    if (x.bias != nullptr) sum = gelu(sum + value_of(x.bias[column]));
    add_error(value_of(x.c[row * x.ldc + column]), sum, sums);
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
    return sum_of_block(sum);
}

// y = B·x, one block per row of B.
template <typename In, typename Out>
__global__ void project_b(Matrices<In, Out> matrices, const double* x, double* y) {
    const double sum = row_dot(matrices.b + blockIdx.x * matrices.ldb, x, matrices.n);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// The dot product of the block's row of C with x (valid in thread 0), or without x the count alone. Elements
// that are not finite are counted and left out.
template <typename T>
__device__ static double finite_row_dot(const T* row, const double* x, int length, ErrorSums* sums) {
    double dot = 0;
    unsigned long long not_finite = 0;
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(length); i += blockDim.x) {
        const double value = value_of(row[i]);
        if (!isfinite(value)) {
            ++not_finite;
        } else if (x != nullptr) {
            dot += value * x[i];
        }
    }
    if (not_finite > 0) atomicAdd(&sums->not_finite, not_finite);
    return sum_of_block(dot);
}

// (C·x)[row] against (A·y)[row], one block per row of C.
template <typename In, typename Out>
__global__ void compare_projections_kernel(Matrices<In, Out> matrices, const double* x, const double* y,
                                           ErrorSums* sums) {
    const std::int64_t row = blockIdx.x;
    const double out = finite_row_dot(matrices.c + row * matrices.ldc, x, matrices.n, sums);
    const double reference = row_dot(matrices.a + row * matrices.lda, y, matrices.k);
    if (threadIdx.x == 0) add_error(out, reference, sums);
}

template <typename In, typename Out>
__global__ void count_not_finite_kernel(Matrices<In, Out> matrices, ErrorSums* sums) {
    finite_row_dot(matrices.c + blockIdx.x * matrices.ldc, nullptr, matrices.n, sums);
}

// Threads for a sum of `length` terms: whole warps, at least 8 terms each, at most 512.
static unsigned threads_for(int length) {
    unsigned threads = warp_size;
    while (threads < 512 && threads * 8U < static_cast<unsigned>(length)) threads *= 2;
    return threads;
}

template <typename In, typename Out, typename Function>
static void call_with(const GemmCall& call, Function function) {
    function(Matrices<In, Out>{static_cast<const In*>(call.a), static_cast<const In*>(call.b),
                               static_cast<const Out*>(call.c), static_cast<const Out*>(call.bias), call.m,
                               call.n, call.k, call.lda, call.ldb, call.ldc});
}

// Calls the function with the matrices as the types of the call's dtype.
template <typename Function>
static void with_types(const GemmCall& call, Function function) {
    if (call.dtype == DType::bf16) {
        call_with<bf16, bf16>(call, function);
    } else if (call.dtype == DType::fp16) {
        call_with<fp16, fp16>(call, function);
#if !defined(__HIP__)
    } else if (call.dtype == DType::fp8) {
        call_with<fp8, bf16>(call, function);
#endif
    } else {
        call_with<float, float>(call, function);
    }
}

void compare_elements(const GemmCall& call, GemmTask task, const int* rows, int row_count, const int* columns,
                      int column_count, ErrorSums* sums) {
    const dim3 grid(static_cast<unsigned>(column_count), static_cast<unsigned>(row_count));
    with_types(call, [&](auto matrices) {
        if (task != GemmTask::product_bias_gelu) matrices.bias = nullptr;
        compare_elements_kernel<<<grid, threads_for(call.k)>>>(matrices, rows, columns, sums);
        check_launch("compare_elements");
    });
}

void compare_projections(const GemmCall& call, unsigned seed, double* x, double* y, ErrorSums* sums) {
    fill_signs<<<(static_cast<unsigned>(call.n) + 255) / 256, 256>>>(x, call.n, seed);
    check_launch("fill_signs");
    with_types(call, [&](auto matrices) {
        project_b<<<static_cast<unsigned>(call.k), threads_for(call.n)>>>(matrices, x, y);
        check_launch("project_b");
        const unsigned threads = threads_for(call.n > call.k ? call.n : call.k);
        compare_projections_kernel<<<static_cast<unsigned>(call.m), threads>>>(matrices, x, y, sums);
        check_launch("compare_projections");
    });
}

void count_not_finite(const GemmCall& call, ErrorSums* sums) {
    with_types(call, [&](auto matrices) {
        count_not_finite_kernel<<<static_cast<unsigned>(call.m), threads_for(call.n)>>>(matrices, sums);
        check_launch("count_not_finite");
    });
}

}  // namespace kprof
#endif
