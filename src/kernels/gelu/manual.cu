// GELU as eager PyTorch runs a formula: one kernel per operation, each at memory's speed, and every
// intermediate result written to memory and read back. Nine kernels, 22 trips over n elements where two would
// do: the traffic is the bottleneck, not any kernel.
#include "kernels/support/gelu_family.hpp"
#include "kernels/support/launch_check.hpp"
#include "kernels/support/vector_map.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/vector_map.cuh"
#endif

namespace kprof {
namespace {

Geometry geometry(const Call& call) {
    return map_geometry(call.extent[0], call.dtype);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
template <typename T>
__global__ void eager_multiply(const T* a, const T* b, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x, float y) { return x * y; }, a, b);
}

template <typename T>
__global__ void eager_add(const T* a, const T* b, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x, float y) { return x + y; }, a, b);
}

template <typename T>
__global__ void eager_multiply_by(const T* a, float factor, T* out, std::int64_t n) {
    map_vectors(
        n, out, [=](float x) { return x * factor; }, a);
}

template <typename T>
__global__ void eager_add_to(const T* a, float term, T* out, std::int64_t n) {
    map_vectors(
        n, out, [=](float x) { return x + term; }, a);
}

template <typename T>
__global__ void eager_tanh(const T* a, T* out, std::int64_t n) {
    map_vectors(
        n, out, [](float x) { return tanhf(x); }, a);
}

// The operations in turn, between two buffers; the last one ends in out.
template <typename T>
static void launch_steps(const Call& call) {
    const std::int64_t n = call.extent[0];
    const Geometry g = geometry(call);
    const dim3 grid = grid_of(g), block = block_of(g);
    const auto* x = call.as<const T>(gelu_in);
    auto* out = call.as<T>(gelu_out);
    auto* other = call.as<T>(gelu_scratch);

    eager_multiply<<<grid, block>>>(x, x, out, n);
    eager_multiply<<<grid, block>>>(static_cast<const T*>(out), x, other, n);
    eager_multiply_by<<<grid, block>>>(static_cast<const T*>(other), gelu_cubic, out, n);
    eager_add<<<grid, block>>>(static_cast<const T*>(out), x, other, n);
    eager_multiply_by<<<grid, block>>>(static_cast<const T*>(other), gelu_slope, out, n);
    eager_tanh<<<grid, block>>>(static_cast<const T*>(out), other, n);
    eager_add_to<<<grid, block>>>(static_cast<const T*>(other), 1.0F, out, n);
    eager_multiply<<<grid, block>>>(static_cast<const T*>(out), x, other, n);
    eager_multiply_by<<<grid, block>>>(static_cast<const T*>(other), 0.5F, out, n);
    check_launch("gelu_manual");
}

static void launch(const Call& call) {
    if (call.dtype == DType::bf16) return launch_steps<bf16>(call);
    launch_steps<float>(call);
}

static int launches(const Call& /*call*/) {
    return 9;
}
#endif

static Variant variant() {
    Variant v = gelu_variant();
    v.name = "manual";
    v.title = "GELU, one kernel per operation";
    v.buffers.push_back({"intermediate", gelu_elements, Element::of_call, Role::scratch});
    v.expected = "dram_traffic";
    v.twin = "fused";
    v.rung = 1;
    v.tolerance_factor = 3;  // nine roundings in place of one
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.launches = launches;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
