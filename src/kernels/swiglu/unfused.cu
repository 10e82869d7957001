// SwiGLU as two kernels, SiLU and a product: each at memory's speed, but SiLU's result is written to memory
// and read back. Five trips over tokens × ffn where three would do: the traffic is the bottleneck.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/swiglu_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/silu.cuh"
#include "kernels/support/vector_map.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
template <typename T>
__global__ void swiglu_silu(const T* gate, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x) { return silu(x); }, gate);
}

template <typename T>
__global__ void swiglu_multiply(const T* activated, const T* up, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x, float y) { return x * y; }, activated, up);
}

template <typename T>
static void launch_of(const Call& call) {
    const std::int64_t n = swiglu_elements(call);
    auto* activated = call.as<T>(swiglu_scratch);
    const Geometry g = swiglu_geometry(call);
    swiglu_silu<<<grid_of(g), block_of(g)>>>(call.as<const T>(swiglu_gate), activated, n);
    check_launch("swiglu_silu");
    swiglu_multiply<<<grid_of(g), block_of(g)>>>(static_cast<const T*>(activated),
                                                 call.as<const T>(swiglu_up), call.as<T>(swiglu_out), n);
    check_launch("swiglu_multiply");
}

static void launch(const Call& call) {
    if (call.dtype == DType::bf16) return launch_of<bf16>(call);
    launch_of<float>(call);
}

static int launches(const Call& /*call*/) {
    return 2;
}
#endif

static Variant variant() {
    Variant v = swiglu_variant();
    v.name = "unfused";
    v.title = "silu(gate) · up: SiLU, then a kernel for the product";
    v.buffers.push_back({"activated gate", swiglu_elements, Element::of_call, Role::scratch});
    v.expected = "dram_traffic";
    v.twin = "fused";
    v.rung = 1;
    v.geometry = swiglu_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.launches = launches;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
