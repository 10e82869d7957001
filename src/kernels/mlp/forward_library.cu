// The forward pass with its products by cuBLAS, TF32 on the tensor cores, and GELU in kernels of its own.
#include "kernels/support/mlp_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/mlp_library.hpp"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    mlp_forward(call, *static_cast<MlpLibrary*>(call.context));
}
#endif

static Variant variant() {
    Variant v = mlp_library_variant(mlp_forward_variant());
    v.name = "forward-library";
    v.title = "forward pass, TF32 by cuBLAS, and GELU";
    v.expected = "latency";
    v.rung = 2;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.launches = [](const Call& c) { return static_cast<int>(2 * c.extent[mlp_layers]); };
    v.open = mlp_library_open;
    v.close = mlp_library_close;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
