// The training step with its products by cuBLAS, TF32 on the tensor cores. GELU, its gradient and the
// transposes that the library's row-major products need are kernels of their own.
#include "kernels/support/mlp_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/mlp_library.hpp"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    mlp_step(call, *static_cast<MlpLibrary*>(call.context));
}
#endif

static Variant variant() {
    Variant v = mlp_library_variant(mlp_step_variant());
    v.name = "step-library";
    v.title = "training step, TF32 by cuBLAS, and GELU";
    v.expected = "latency";
    v.rung = 4;
    v.buffers.push_back({"transposed",
                         [](const Call& c) {
                             const MlpShape s = mlp_shape(c);
                             return s.batch > s.width ? s.vectors() : s.weights();
                         },
                         Element::of_call, Role::scratch});
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    // Forward two a layer (no GELU in the last); the last gradient; back, with a transpose before each
    // product, two and three.
    v.launches = [](const Call& c) { return static_cast<int>(7 * c.extent[mlp_layers] - 3); };
    v.open = mlp_library_open;
    v.close = mlp_library_close;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
