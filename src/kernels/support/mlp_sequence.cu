// The order of an MLP's kernels, and those that go element by element.
#ifdef KPROF_WITH_CUDA
#include <cmath>

#include "kernels/support/mlp_family.hpp"
#include "kernels/support/mlp_gelu.cuh"

namespace kprof {

__global__ void mlp_gelu_kernel(const float* z, float* y, std::int64_t n) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        y[i] = gelu(z[i]);
    }
}

__global__ void mlp_gelu_gradient_kernel(const float* y_gradient, const float* z, float* out,
                                         std::int64_t n) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        out[i] = y_gradient[i] * gelu_slope(z[i]);
    }
}

__global__ void mlp_scale(float* weights, std::int64_t n, float factor) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        weights[i] *= factor;
    }
}

static unsigned blocks_for(std::int64_t n) {
    const std::int64_t blocks = (n + 255) / 256;
    return static_cast<unsigned>(blocks < 65536 ? blocks : 65536);
}

void mlp_gelu(const float* z, float* y, std::int64_t n) {
    mlp_gelu_kernel<<<blocks_for(n), 256>>>(z, y, n);
    check_launch("mlp_gelu");
}

void mlp_gelu_gradient(const float* y_gradient, const float* z, float* out, std::int64_t n) {
    mlp_gelu_gradient_kernel<<<blocks_for(n), 256>>>(y_gradient, z, out, n);
    check_launch("mlp_gelu_gradient");
}

// Uniform numbers in [-s, s) have the variance s² / 3, and GELU keeps 0.425 of the mean square of normal
// numbers: with s² = 3 / (0.425 width) that of z stays near 1.
void mlp_prepare(const Call& call) {
    const MlpShape s = mlp_shape(call);
    const auto factor = static_cast<float>(std::sqrt(7 / static_cast<double>(s.width)));
    const std::int64_t n = s.layers * s.weights();
    mlp_scale<<<blocks_for(n), 256>>>(call.as<float>(mlp_weights), n, factor);
    check_launch("mlp_scale");
}

void mlp_forward(const Call& call, MlpProducts& products) {
    const MlpShape s = mlp_shape(call);
    const float* x = call.as<const float>(mlp_x);
    for (std::int64_t layer = 0; layer < s.layers; ++layer) {
        float* y = layer + 1 == s.layers ? call.as<float>(mlp_out)
                                         : call.as<float>(mlp_hidden) + layer % 2 * s.vectors();
        products.layer(x, call.as<const float>(mlp_weights) + layer * s.weights(), nullptr, y);
        x = y;
    }
}

void mlp_step(const Call& call, MlpProducts& products) {
    const MlpShape s = mlp_shape(call);
    const float* x = call.as<const float>(mlp_x);
    const float* weights = call.as<const float>(mlp_weights);
    float* z = call.as<float>(mlp_z);
    float* y = call.as<float>(mlp_y);
    const std::int64_t last = s.layers - 1;
    const auto input_of = [&](std::int64_t layer) { return layer == 0 ? x : y + (layer - 1) * s.vectors(); };
    for (std::int64_t layer = 0; layer <= last; ++layer) {
        products.layer(input_of(layer), weights + layer * s.weights(), z + layer * s.vectors(),
                       layer == last ? nullptr : y + layer * s.vectors());
    }

    float* gradient = call.as<float>(mlp_z_gradient);
    float* before = gradient + s.vectors();
    mlp_gelu_gradient(call.as<const float>(mlp_y_gradient), z + last * s.vectors(), gradient, s.vectors());
    for (std::int64_t layer = last; layer >= 0; --layer) {
        products.weight_gradient(input_of(layer), gradient, call.as<float>(mlp_out) + layer * s.weights());
        if (layer == 0) break;
        products.z_gradient(gradient, weights + layer * s.weights(), z + (layer - 1) * s.vectors(), before);
        float* const used = gradient;
        gradient = before;
        before = used;
    }
}

}  // namespace kprof
#endif
