#include "kernels/support/mlp_family.hpp"

#include <algorithm>

namespace kprof {
namespace {

double as_double(std::int64_t n) {
    return static_cast<double>(n);
}

std::int64_t vectors(const Call& call) {
    return mlp_shape(call).vectors();
}

std::int64_t weights(const Call& call) {
    const MlpShape s = mlp_shape(call);
    return s.layers * s.weights();
}

// A product takes 2 batch width² FLOPs; GELU is left out, as everyone does.
double product_flops(const Call& call) {
    const MlpShape s = mlp_shape(call);
    return 2 * as_double(s.vectors()) * as_double(s.width);
}

double forward_flops(const Call& call) {
    return product_flops(call) * as_double(mlp_shape(call).layers);
}

// A layer has one product forward and two backward; the first needs no gradient of its input.
double step_flops(const Call& call) {
    return product_flops(call) * (3 * as_double(mlp_shape(call).layers) - 1);
}

double forward_bytes(const Call& call) {
    return 4 * (2 * as_double(vectors(call)) + as_double(weights(call)));
}

double step_bytes(const Call& call) {
    return 4 * (2 * as_double(vectors(call)) + 2 * as_double(weights(call)));
}

// Keeps every product of extents within 64 bits, and values away from FP32's ends.
const char* refuses(const Call& call) {
    const MlpShape s = mlp_shape(call);
    if (s.width > 65536) return "width must be at most 65,536";
    if (s.batch > 16777216) return "batch must be at most 16,777,216";
    return s.layers > 64 ? "layers must be at most 64" : nullptr;
}

// How many rows the forward reference holds at a time (the verification asks for 2^24 numbers at most, or one
// row).
std::int64_t reference_rows(const Call& call) {
    const MlpShape s = mlp_shape(call);
    return std::clamp<std::int64_t>((std::int64_t{1} << 24) / s.width, 1, s.batch);
}

Variant mlp_variant() {
    Variant v;
    v.family = "mlp";
    v.extents = {"batch", "width", "layers"};
    v.default_shape = {4096, 1024, 4};
    v.dtypes = {DType::fp32};
    v.matrix_product = true;
    v.refuses = refuses;
    v.group = [](const Call& c) { return c.extent[mlp_width]; };
    // Sums of 1024 products in FP32 err by some 1e-6, and a step chains eight of them.
    v.tolerance = 5e-5;
#ifdef KPROF_WITH_CUDA
    v.prepare = mlp_prepare;
#endif
    return v;
}

}  // namespace

Variant mlp_forward_variant() {
    Variant v = mlp_variant();
    v.buffers = {{"x", vectors},
                 {"weights", weights},
                 {"y", vectors, Element::of_call, Role::output},
                 {"hidden", [](const Call& c) { return 2 * vectors(c); }, Element::of_call, Role::scratch}};
    v.flops = forward_flops;
    v.min_bytes = forward_bytes;
    v.group_cost = [](const Call& c) { return forward_flops(c) / as_double(c.extent[mlp_batch]); };
    v.reference_scratch = [](const Call& c) { return 2 * reference_rows(c) * c.extent[mlp_width]; };
#ifdef KPROF_WITH_CUDA
    v.reference = mlp_forward_reference;
#endif
    return v;
}

Variant mlp_step_variant() {
    Variant v = mlp_variant();
    v.buffers = {
        {"x", vectors},
        {"weights", weights},
        {"weight gradients", weights, Element::of_call, Role::output},
        {"y gradient", vectors},
        {"z", [](const Call& c) { return c.extent[mlp_layers] * vectors(c); }, Element::of_call,
         Role::scratch},
        {"y", [](const Call& c) { return c.extent[mlp_layers] * vectors(c); }, Element::of_call,
         Role::scratch},
        {"z gradient", [](const Call& c) { return 2 * vectors(c); }, Element::of_call, Role::scratch}};
    v.flops = step_flops;
    v.min_bytes = step_bytes;
    v.group_cost = [](const Call& c) { return 2 * as_double(vectors(c)); };
    v.reference_scratch = [](const Call& c) { return 3 * c.extent[mlp_layers] * vectors(c); };
#ifdef KPROF_WITH_CUDA
    v.reference = mlp_step_reference;
#endif
    return v;
}

Variant mlp_library_variant(Variant v) {
    v.dtypes = {DType::tf32};
    // Every product rounds both of its inputs to 10 bits, up to 5e-4 each, and a step chains eight.
    v.tolerance = 1e-2;
    return v;
}

}  // namespace kprof
