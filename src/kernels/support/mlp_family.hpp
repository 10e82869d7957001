// What the variants of mlp share: `layers` layers of y = GELU(x W) on a batch of vectors, all `width` wide,
// without bias; forward alone, or forward and backward to the gradients of all weights. Extents: batch,
// width, layers. Matrices are row-major; the weights of a layer are width x width, input by output.
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum MlpExtent { mlp_batch, mlp_width, mlp_layers };
enum MlpBuffer {
    mlp_x,
    mlp_weights,
    mlp_out,  // forward: the last layer's y; step: the gradients of the weights
    // forward
    mlp_hidden = 3,  // scratch: y of the other layers, in turns
    // step
    mlp_y_gradient = 3,  // input: the gradient with respect to the last layer's y
    mlp_z,               // scratch: x W of every layer
    mlp_y,               // scratch: y of every layer but the last
    mlp_z_gradient,      // scratch: the gradient with respect to z, of two layers in turns
    mlp_transposed       // scratch: for the library
};

struct MlpShape {
    std::int64_t batch, width, layers;
    std::int64_t vectors() const { return batch * width; }  // elements of a batch
    std::int64_t weights() const { return width * width; }  // of a layer
};
inline MlpShape mlp_shape(const Call& call) {
    return {call.extent[mlp_batch], call.extent[mlp_width], call.extent[mlp_layers]};
}

// Everything but name, title, dtypes, label, launch and launches.
Variant mlp_forward_variant();
Variant mlp_step_variant();
// The same with TF32 on the tensor cores, by cuBLAS: dtype and tolerance.
Variant mlp_library_variant(Variant v);

#ifdef KPROF_WITH_CUDA
// The products of a layer, each with what follows it. A null pointer: not wanted.
struct MlpProducts {
    virtual ~MlpProducts() = default;
    // z = x w, y = GELU(z)
    virtual void layer(const float* x, const float* w, float* z, float* y) = 0;
    // w_gradient = xᵀ z_gradient
    virtual void weight_gradient(const float* x, const float* z_gradient, float* w_gradient) = 0;
    // The gradient with respect to the z of the layer before: (z_gradient wᵀ) GELU'(z), element by element.
    virtual void z_gradient(const float* z_gradient, const float* w, const float* z, float* before) = 0;
};

// The sequence of a forward pass, of a step. A layer each: one kernel and one library call or more.
void mlp_forward(const Call& call, MlpProducts& products);
void mlp_step(const Call& call, MlpProducts& products);
// out = y_gradient GELU'(z), element by element.
void mlp_gelu_gradient(const float* y_gradient, const float* z, float* out, std::int64_t n);
// y = GELU(z)
void mlp_gelu(const float* z, float* y, std::int64_t n);

// Brings the weights to a size at which values neither grow nor vanish from layer to layer.
void mlp_prepare(const Call& call);
// FP64. A group is a row of the output.
void mlp_forward_reference(const ReferenceCall& call);
void mlp_step_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
