#include "kernels/support/row_family.hpp"

namespace kprof {
namespace {

double rows(const Call& call) {
    return static_cast<double>(call.extent[row_rows]);
}

double columns(const Call& call) {
    return static_cast<double>(call.extent[row_columns]);
}

std::int64_t element_count(const Call& call) {
    return call.extent[row_rows] * call.extent[row_columns];
}

std::int64_t row_count(const Call& call) {
    return call.extent[row_rows];
}

std::int64_t column_count(const Call& call) {
    return call.extent[row_columns];
}

// `each` operations an element.
template <int each>
double flops(const Call& call) {
    return each * rows(call) * columns(call);
}

// The matrix read and written, and `vectors` of a number a column.
template <int vectors>
double bytes(const Call& call) {
    return (2 * rows(call) + vectors) * columns(call) * call.size();
}

double rowsum_bytes(const Call& call) {
    return rows(call) * (columns(call) * call.size() + 4);
}

// An exponential in FP64 is some 30 operations, and the reference takes two of an element.
double exponential_cost(const Call& call) {
    return 64 * columns(call);
}

double sums_cost(const Call& call) {
    return 8 * columns(call);
}

// A row of 8 KB is one that a warp can hold in its registers (row_warp.cuh), and 1 GiB of them fits no cache.
Variant row_variant(const char* family) {
    Variant v;
    v.family = family;
    v.extents = {"rows", "columns"};
    v.default_shape = {131072, 2048};
    v.dtypes = {DType::fp32, DType::bf16};
    v.buffers = {{"in", element_count, Element::of_call, Role::input},
                 {"out", element_count, Element::of_call, Role::output}};
    v.precision = "fp32";
    v.group = column_count;
    v.group_cost = sums_cost;
    return v;
}

}  // namespace

// Comparison, difference, exponential, sum, scale.
Variant softmax_variant() {
    Variant v = row_variant("softmax");
    v.flops = flops<5>;
    v.min_bytes = bytes<0>;
    v.group_cost = exponential_cost;
#ifdef KPROF_WITH_CUDA
    v.reference = softmax_reference;
#endif
    return v;
}

Variant rowsum_variant() {
    Variant v = row_variant("rowsum");
    v.buffers[row_out] = {"out", row_count, Element::fp32, Role::output};
    v.flops = flops<1>;
    v.min_bytes = rowsum_bytes;
    v.group = nullptr;  // one element of the output a row
#ifdef KPROF_WITH_CUDA
    v.reference = rowsum_reference;
#endif
    return v;
}

// Square, sum, scale, weight.
Variant rmsnorm_variant() {
    Variant v = row_variant("rmsnorm");
    v.buffers.push_back({"weight", column_count, Element::of_call, Role::input});
    v.flops = flops<4>;
    v.min_bytes = bytes<1>;
#ifdef KPROF_WITH_CUDA
    v.reference = rmsnorm_reference;
#endif
    return v;
}

// Sum for the mean; difference, square, sum; scale, weight, bias.
Variant layernorm_variant() {
    Variant v = row_variant("layernorm");
    v.buffers.push_back({"weight", column_count, Element::of_call, Role::input});
    v.buffers.push_back({"bias", column_count, Element::of_call, Role::input});
    v.flops = flops<7>;
    v.min_bytes = bytes<2>;
#ifdef KPROF_WITH_CUDA
    v.reference = layernorm_reference;
#endif
    return v;
}

}  // namespace kprof
