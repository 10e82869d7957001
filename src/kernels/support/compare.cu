#include "kernels/support/compare.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/launch_check.hpp"

namespace kprof {

constexpr unsigned threads = 256;

// The expected value as the output's type would hold it, rounded once.
__device__ static double rounded(double x, double) {
    return x;
}
__device__ static double rounded(double x, float) {
    return static_cast<float>(x);
}
__device__ static double rounded(double x, __nv_bfloat16) {
    return value_of(__double2bfloat16(x));
}
__device__ static double rounded(double x, __half) {
    return value_of(__double2half(x));
}
__device__ static double rounded(double x, signed char) {
    return x;
}
__device__ static double rounded(double x, int) {
    return x;
}
__device__ static double rounded(double x, unsigned) {
    return x;
}

// Sums within the block first: one atomic a block, not one an element.
struct Partial {
    double error_squared, reference_squared, largest_error;
    unsigned long long not_finite, mismatches;
};

__device__ static void add(Partial& to, const Partial& from) {
    to.error_squared += from.error_squared;
    to.reference_squared += from.reference_squared;
    to.largest_error = fmax(to.largest_error, from.largest_error);
    to.not_finite += from.not_finite;
    to.mismatches += from.mismatches;
}

__device__ static void add_block(const Partial& mine, OutputSums* sums) {
    __shared__ Partial partial[threads];
    partial[threadIdx.x] = mine;
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) add(partial[threadIdx.x], partial[threadIdx.x + half]);
    }
    if (threadIdx.x != 0) return;
    const Partial& all = partial[0];
    atomicAdd(&sums->errors.error_squared, all.error_squared);
    atomicAdd(&sums->errors.reference_squared, all.reference_squared);
    // Doubles that are not negative order like their bits.
    atomicMax(reinterpret_cast<unsigned long long*>(&sums->errors.largest_error),
              static_cast<unsigned long long>(__double_as_longlong(all.largest_error)));
    if (all.not_finite > 0) atomicAdd(&sums->errors.not_finite, all.not_finite);
    if (all.mismatches > 0) atomicAdd(&sums->mismatches, all.mismatches);
}

template <typename T>
__global__ void compare_kernel(const T* out, CompareCall call, OutputSums* sums) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
    Partial mine = {};
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
         i < call.count * call.size; i += stride) {
        const std::int64_t at = call.groups[i / call.size] * call.size + i % call.size;
        if (at >= call.outputs) continue;
        const double value = value_of(out[at]), expected = call.expected[i];
        if (!isfinite(value)) {
            ++mine.not_finite;
            ++mine.mismatches;
            continue;
        }
        const double error = fabs(value - expected);
        mine.error_squared += error * error;
        mine.reference_squared += expected * expected;
        mine.largest_error = fmax(mine.largest_error, error);
        if (call.exact && !(value == rounded(expected, T{}))) ++mine.mismatches;
    }
    add_block(mine, sums);
}

template <typename T>
__global__ void not_finite_kernel(const T* out, std::int64_t outputs, OutputSums* sums) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
    unsigned long long bad = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < outputs;
         i += stride) {
        bad += isfinite(value_of(out[i])) ? 0 : 1;
    }
    if (bad > 0) atomicAdd(&sums->not_finite, bad);
}

__global__ void sequence_kernel(std::int64_t* groups, std::int64_t count, std::int64_t first) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < count;
         i += stride) {
        groups[i] = first + i;
    }
}

static unsigned blocks_for(std::int64_t elements) {
    const std::int64_t blocks = (elements + threads - 1) / threads;
    return static_cast<unsigned>(blocks < 2048 ? blocks : 2048);
}

template <typename T>
static void compare_as(const CompareCall& call, OutputSums* sums) {
    compare_kernel<<<blocks_for(call.count * call.size), threads>>>(static_cast<const T*>(call.out), call,
                                                                    sums);
    check_launch("compare_outputs");
}

void compare_outputs(const CompareCall& call, OutputSums* sums) {
    switch (call.element) {
        case Element::fp64:
            return compare_as<double>(call, sums);
        case Element::bf16:
            return compare_as<__nv_bfloat16>(call, sums);
        case Element::fp16:
            return compare_as<__half>(call, sums);
        case Element::int8:
            return compare_as<signed char>(call, sums);
        case Element::int32:
            return compare_as<int>(call, sums);
        case Element::uint32:
            return compare_as<unsigned>(call, sums);
        default:
            return compare_as<float>(call, sums);
    }
}

template <typename T>
static void count_as(const void* out, std::int64_t outputs, OutputSums* sums) {
    not_finite_kernel<<<blocks_for(outputs), threads>>>(static_cast<const T*>(out), outputs, sums);
    check_launch("count_not_finite");
}

void count_not_finite(const void* out, Element element, std::int64_t outputs, OutputSums* sums) {
    if (element == Element::fp64) {
        count_as<double>(out, outputs, sums);
    } else if (element == Element::fp32) {
        count_as<float>(out, outputs, sums);
    } else if (element == Element::bf16) {
        count_as<__nv_bfloat16>(out, outputs, sums);
    } else if (element == Element::fp16) {
        count_as<__half>(out, outputs, sums);
    }
}

void fill_sequence(std::int64_t* groups, std::int64_t count, std::int64_t first) {
    sequence_kernel<<<blocks_for(count), threads>>>(groups, count, first);
    check_launch("fill_sequence");
}

}  // namespace kprof
#endif
