// Softmax, row sum, RMS and layer norm in FP64 from their definitions, one block a row.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/element.cuh"
#include "kernels/support/row_family.hpp"

namespace kprof {

constexpr int reference_threads = 256;

// One row as a block sees it: sums of f over its elements, and expected values written.
template <typename T>
struct ReferenceRow {
    const T* x;
    std::int64_t columns;
    double* shared;

    template <typename F>
    __device__ double sum(F f) const {
        double total = 0;
        for (std::int64_t c = threadIdx.x; c < columns; c += reference_threads) total += f(value_of(x[c]));
        return block_sum(total, shared);
    }
    template <typename F>
    __device__ void write(double* expected, F f) const {
        for (std::int64_t c = threadIdx.x; c < columns; c += reference_threads) {
            expected[c] = f(value_of(x[c]), c);
        }
    }
};

struct SoftmaxRow {
    template <typename T>
    __device__ void operator()(const ReferenceRow<T>& row, const T*, const T*, double* expected) const {
        double largest = -INFINITY;
        for (std::int64_t c = threadIdx.x; c < row.columns; c += reference_threads) {
            largest = fmax(largest, value_of(row.x[c]));
        }
        largest = block_max(largest, row.shared);
        const double total = row.sum([=](double x) { return exp(x - largest); });
        row.write(expected, [=](double x, std::int64_t) { return exp(x - largest) / total; });
    }
};

struct SumRow {
    template <typename T>
    __device__ void operator()(const ReferenceRow<T>& row, const T*, const T*, double* expected) const {
        const double total = row.sum([](double x) { return x; });
        if (threadIdx.x == 0) *expected = total;
    }
};

struct RmsRow {
    template <typename T>
    __device__ void operator()(const ReferenceRow<T>& row, const T* weight, const T*,
                               double* expected) const {
        const double mean = row.sum([](double x) { return x * x; }) / static_cast<double>(row.columns);
        const double scale = 1 / sqrt(mean + static_cast<double>(row_epsilon));
        row.write(expected, [=](double x, std::int64_t c) { return x * scale * value_of(weight[c]); });
    }
};

struct LayerRow {
    template <typename T>
    __device__ void operator()(const ReferenceRow<T>& row, const T* weight, const T* bias,
                               double* expected) const {
        const double n = static_cast<double>(row.columns);
        const double mean = row.sum([](double x) { return x; }) / n;
        const double variance = row.sum([=](double x) { return (x - mean) * (x - mean); }) / n;
        const double scale = 1 / sqrt(variance + static_cast<double>(row_epsilon));
        row.write(expected, [=](double x, std::int64_t c) {
            return (x - mean) * scale * value_of(weight[c]) + value_of(bias[c]);
        });
    }
};

// Row groups[g] of the input makes the `size` expected values from g * size on.
template <typename T, typename Row>
__global__ void expect_rows(const T* in, const T* weight, const T* bias, std::int64_t columns,
                            const std::int64_t* groups, int count, std::int64_t size, double* expected) {
    __shared__ double shared[reference_threads / warp_size];
    for (int g = blockIdx.x; g < count; g += gridDim.x) {
        Row()(ReferenceRow<T>{in + groups[g] * columns, columns, shared}, weight, bias, expected + g * size);
    }
}

template <typename Row, typename T>
static void expect(const ReferenceCall& r) {
    const unsigned blocks = r.count < 65536 ? static_cast<unsigned>(r.count) : 65536;
    expect_rows<T, Row><<<blocks, reference_threads>>>(
        r.call.as<const T>(row_in), r.call.as<const T>(row_weight), r.call.as<const T>(row_bias),
        r.call.extent[row_columns], r.groups, r.count, r.size, r.expected);
    check_launch("expect_rows");
}

template <typename Row>
static void expect_of_type(const ReferenceCall& r) {
    if (r.call.dtype == DType::bf16) {
        expect<Row, bf16>(r);
    } else {
        expect<Row, float>(r);
    }
}

void softmax_reference(const ReferenceCall& call) {
    expect_of_type<SoftmaxRow>(call);
}

void rowsum_reference(const ReferenceCall& call) {
    expect_of_type<SumRow>(call);
}

void rmsnorm_reference(const ReferenceCall& call) {
    expect_of_type<RmsRow>(call);
}

void layernorm_reference(const ReferenceCall& call) {
    expect_of_type<LayerRow>(call);
}

}  // namespace kprof
#endif
