// A training step in FP32: forward, then back from the gradient of the last layer to those of all weights, a
// kernel per product. The tensor cores are idle.
#include "kernels/support/mlp_tiled.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    MlpTiled products(mlp_shape(call));
    mlp_step(call, products);
}
#endif

static Variant variant() {
    Variant v = mlp_step_variant();
    v.name = "step";
    v.title = "training step, FP32 on the CUDA cores";
    v.expected = "tensor_cores";
    v.twin = "step-library";
    v.rung = 3;
    v.geometry = [](const Call& c) { return mlp_tile_geometry(c.extent[mlp_batch], c.extent[mlp_width]); };
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    // Forward, the last gradient, and two products a layer back, but for the first layer's input.
    v.launches = [](const Call& c) { return static_cast<int>(3 * c.extent[mlp_layers]); };
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
