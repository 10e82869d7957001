#include "kernels/support/stream_variants.hpp"

namespace kprof {
namespace {

constexpr std::int64_t default_elements = std::int64_t{1} << 28;

double elements(const Call& call) {
    return static_cast<double>(call.extent[0]);
}

std::int64_t count(const Call& call) {
    return call.extent[0];
}

std::int64_t member_count(const Call& call) {
    return call.extent[0] * particle_members;
}

std::int64_t reference_group(const Call& /*call*/) {
    return 1024;
}

double one_flop(const Call& call) {
    return elements(call);
}

double two_flops(const Call& call) {
    return 2 * elements(call);
}

double one_read(const Call& call) {
    return 2 * elements(call) * call.size();
}

double two_reads(const Call& call) {
    return 3 * elements(call) * call.size();
}

Variant stream_variant(const char* family) {
    Variant v;
    v.family = family;
    v.extents = {"n"};
    v.default_shape = {default_elements};
    v.dtypes = {DType::fp32};
    v.group = reference_group;
    return v;
}

Variant one_input_variant(const char* family) {
    Variant v = stream_variant(family);
    v.buffers = {{"a", count, Element::of_call, Role::input}, {"out", count, Element::of_call, Role::output}};
    v.min_bytes = one_read;
    v.exact = true;
    return v;
}

Variant two_input_variant(const char* family) {
    Variant v = stream_variant(family);
    v.buffers = {{"a", count, Element::of_call, Role::input},
                 {"b", count, Element::of_call, Role::input},
                 {"out", count, Element::of_call, Role::output}};
    v.min_bytes = two_reads;
    return v;
}

// Rounded twice without an FMA, and nearly cancelled now and then: not exact, but far under FP32's 1e-5.
constexpr double triad_tolerance = 3e-7;

}  // namespace

Variant add_variant() {
    Variant v = two_input_variant("add");
    v.flops = one_flop;
    v.exact = true;  // the FP64 sum of these inputs is exact
#ifdef KPROF_WITH_CUDA
    v.reference = add_reference;
#endif
    return v;
}

Variant copy_variant() {
    Variant v = one_input_variant("copy");
#ifdef KPROF_WITH_CUDA
    v.reference = copy_reference;
#endif
    return v;
}

Variant scale_variant() {
    Variant v = one_input_variant("scale");
    v.flops = one_flop;
#ifdef KPROF_WITH_CUDA
    v.reference = scale_reference;
#endif
    return v;
}

Variant triad_variant() {
    Variant v = two_input_variant("triad");
    v.flops = two_flops;
    v.tolerance = triad_tolerance;
#ifdef KPROF_WITH_CUDA
    v.reference = triad_reference;
#endif
    return v;
}

Variant particle_variant() {
    Variant v = stream_variant("triad");
    v.buffers = {{"particles", member_count, Element::of_call, Role::input},
                 {"out", count, Element::of_call, Role::output}};
    v.flops = two_flops;
    v.min_bytes = two_reads;
    v.tolerance = triad_tolerance;
    return v;
}

}  // namespace kprof
