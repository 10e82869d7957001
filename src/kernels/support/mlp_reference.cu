// An MLP in FP64, a thread per element and in no hurry. Forward: the rows asked for. Step: everything, once,
// and then the rows of the weight gradients that are asked for.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/mlp_family.hpp"
#include "kernels/support/mlp_gelu.cuh"

namespace kprof {

// f(i) for i < n
template <typename F>
__global__ void mlp_each(std::int64_t n, F f) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        f(i);
    }
}

template <typename F>
static void for_each(std::int64_t n, const F& f) {
    const std::int64_t blocks = (n + 255) / 256;
    mlp_each<<<static_cast<unsigned>(blocks < 65536 ? blocks : 65536), 256>>>(n, f);
    check_launch("mlp_each");
}

namespace {

// Rows of x: those of `groups`, or all where it is null.
struct Widen {
    const float* x;
    const std::int64_t* groups;
    std::int64_t width;
    double* out;
    __device__ void operator()(std::int64_t i) const {
        const std::int64_t row = i / width;
        out[i] = static_cast<double>(x[(groups != nullptr ? groups[row] : row) * width + i % width]);
    }
};

struct Layer {
    const double* x;
    const float* w;
    std::int64_t width;
    double* z;  // null: not kept
    double* y;  // null: not wanted
    __device__ void operator()(std::int64_t i) const {
        const double* row = x + i / width * width;
        const float* column = w + i % width;
        double sum = 0;
        for (std::int64_t k = 0; k < width; ++k) sum += row[k] * static_cast<double>(column[k * width]);
        if (z != nullptr) z[i] = sum;
        if (y != nullptr) y[i] = gelu(sum);
    }
};

struct LastGradient {
    const float* y_gradient;
    const double* z;
    double* out;
    __device__ void operator()(std::int64_t i) const {
        out[i] = static_cast<double>(y_gradient[i]) * gelu_slope(z[i]);
    }
};

struct GradientBefore {
    const double* gradient;
    const float* w;
    std::int64_t width;
    const double* z;
    double* out;
    __device__ void operator()(std::int64_t i) const {
        const double* row = gradient + i / width * width;
        const float* weights = w + i % width * width;
        double sum = 0;
        for (std::int64_t k = 0; k < width; ++k) sum += row[k] * static_cast<double>(weights[k]);
        out[i] = sum * gelu_slope(z[i]);
    }
};

struct WeightGradient {
    const double* inputs;     // of all layers
    const double* gradients;  // of all layers
    MlpShape s;
    const std::int64_t* groups;
    double* out;
    __device__ void operator()(std::int64_t i) const {
        const std::int64_t group = groups[i / s.width];
        const std::int64_t layer = group / s.width, from = group % s.width, to = i % s.width;
        const double* x = inputs + layer * s.batch * s.width + from;
        const double* gradient = gradients + layer * s.batch * s.width + to;
        double sum = 0;
        for (std::int64_t b = 0; b < s.batch; ++b) sum += x[b * s.width] * gradient[b * s.width];
        out[i] = sum;
    }
};

}  // namespace

void mlp_forward_reference(const ReferenceCall& call) {
    const MlpShape s = mlp_shape(call.call);
    const std::int64_t n = call.count * s.width;
    const float* weights = call.call.as<const float>(mlp_weights);
    double* x = call.scratch;
    double* y = call.scratch + n;
    for_each(n, Widen{call.call.as<const float>(mlp_x), call.groups, s.width, x});
    for (std::int64_t layer = 0; layer < s.layers; ++layer) {
        double* const out = layer + 1 == s.layers ? call.expected : y;
        for_each(n, Layer{x, weights + layer * s.weights(), s.width, nullptr, out});
        y = x;
        x = out;
    }
}

void mlp_step_reference(const ReferenceCall& call) {
    const MlpShape s = mlp_shape(call.call);
    const std::int64_t n = s.vectors(), last = s.layers - 1;
    const float* weights = call.call.as<const float>(mlp_weights);
    double* const x = call.scratch;  // the input of every layer
    double* const z = x + s.layers * n;
    double* const gradient = z + s.layers * n;
    if (call.first) {
        for_each(n, Widen{call.call.as<const float>(mlp_x), nullptr, s.width, x});
        for (std::int64_t layer = 0; layer <= last; ++layer) {
            for_each(n, Layer{x + layer * n, weights + layer * s.weights(), s.width, z + layer * n,
                              layer == last ? nullptr : x + (layer + 1) * n});
        }
        for_each(n,
                 LastGradient{call.call.as<const float>(mlp_y_gradient), z + last * n, gradient + last * n});
        for (std::int64_t layer = last; layer > 0; --layer) {
            for_each(n, GradientBefore{gradient + layer * n, weights + layer * s.weights(), s.width,
                                       z + (layer - 1) * n, gradient + (layer - 1) * n});
        }
    }
    for_each(call.count * s.width, WeightGradient{x, gradient, s, call.groups, call.expected});
}

}  // namespace kprof
#endif
