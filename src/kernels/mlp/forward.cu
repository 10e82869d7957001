// A forward pass in FP32, a kernel per layer with GELU in its end: tiled as it should be, but on the CUDA
// cores, while the tensor cores are idle.
#include "kernels/support/mlp_tiled.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    MlpTiled products(mlp_shape(call));
    mlp_forward(call, products);
}
#endif

static Variant variant() {
    Variant v = mlp_forward_variant();
    v.name = "forward";
    v.title = "forward pass, FP32 on the CUDA cores";
    v.expected = "tensor_cores";
    v.twin = "forward-library";
    v.rung = 1;
    v.is_default = true;
    v.geometry = [](const Call& c) { return mlp_tile_geometry(c.extent[mlp_batch], c.extent[mlp_width]); };
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.launches = [](const Call& c) { return static_cast<int>(c.extent[mlp_layers]); };
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
