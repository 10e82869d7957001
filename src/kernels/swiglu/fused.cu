// SwiGLU in one kernel: SiLU's result stays in a register. Two reads and a write per element remain, in
// vectors of 16 bytes: at memory's limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/swiglu_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/silu.cuh"
#include "kernels/support/vector_map.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T>
__global__ void swiglu_fused(const T* gate, const T* up, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x, float y) { return silu(x) * y; }, gate, up);
}

template <typename T>
static void launch_of(const Call& call) {
    const Geometry g = swiglu_geometry(call);
    swiglu_fused<<<grid_of(g), block_of(g)>>>(call.as<const T>(swiglu_gate), call.as<const T>(swiglu_up),
                                              call.as<T>(swiglu_out), swiglu_elements(call));
    check_launch("swiglu_fused");
}

static void launch(const Call& call) {
    if (call.dtype == DType::bf16) return launch_of<bf16>(call);
    launch_of<float>(call);
}
#endif

static Variant variant() {
    Variant v = swiglu_variant();
    v.name = "fused";
    v.title = "silu(gate) · up in one kernel";
    v.expected = "at_limit:dram";
    v.rung = 2;
    v.is_default = true;
    v.geometry = swiglu_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
