#include "kernels/support/rmsnorm_linear_family.hpp"

namespace kprof {
namespace {

double tokens(const Call& call) {
    return static_cast<double>(call.extent[rmsnorm_linear_tokens]);
}

double depth(const Call& call) {
    return static_cast<double>(call.extent[rmsnorm_linear_depth]);
}

double out(const Call& call) {
    return static_cast<double>(call.extent[rmsnorm_linear_out]);
}

std::int64_t gain_count(const Call& call) {
    return call.extent[rmsnorm_linear_depth];
}

std::int64_t w_count(const Call& call) {
    return call.extent[rmsnorm_linear_out] * call.extent[rmsnorm_linear_depth];
}

std::int64_t y_count(const Call& call) {
    return call.extent[rmsnorm_linear_tokens] * call.extent[rmsnorm_linear_out];
}

// The product, and per element of x its square's addition and the products with the row's scale and the gain.
double flops(const Call& call) {
    return tokens(call) * depth(call) * (2 * out(call) + 4);
}

double min_bytes(const Call& call) {
    return call.size() * (tokens(call) * (depth(call) + out(call)) + depth(call) * (out(call) + 1));
}

constexpr std::int64_t group_size = 32;

std::int64_t reference_group(const Call& /*call*/) {
    return group_size;
}

// Every element of y computes its row's scale again.
double reference_cost(const Call& call) {
    return group_size * depth(call) * 5;
}

const char* refuses(const Call& call) {
    return call.extent[rmsnorm_linear_depth] % 8 != 0 ? "d must be a multiple of 8: loads are of 16 bytes"
                                                      : nullptr;
}

}  // namespace

std::int64_t rmsnorm_linear_elements(const Call& call) {
    return call.extent[rmsnorm_linear_tokens] * call.extent[rmsnorm_linear_depth];
}

Geometry rmsnorm_linear_product_geometry(const Call& call) {
    constexpr std::int64_t smem = 2 * product_columns * product_depth * 2;  // W twice, in BF16
    return tile_geometry(call.extent[rmsnorm_linear_tokens], call.extent[rmsnorm_linear_out], product_rows,
                         product_columns, product_warps * 32, 1, smem);
}

Variant rmsnorm_linear_variant() {
    Variant v;
    v.family = "rmsnorm-linear";
    v.extents = {"tokens", "d", "out"};
    v.default_shape = {131072, 4096, 32};  // 1 GiB of x
    v.dtypes = {DType::bf16};
    v.buffers = {{"x", rmsnorm_linear_elements, Element::of_call, Role::input},
                 {"gain", gain_count, Element::of_call, Role::input},
                 {"w", w_count, Element::of_call, Role::input},
                 {"y", y_count, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.matrix_product = true;
    v.refuses = refuses;
    v.group = reference_group;
    v.group_cost = reference_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = rmsnorm_linear_reference;
#endif
    return v;
}

}  // namespace kprof
