#include "kernels/support/variant.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "kernels/registry.hpp"
#include "kernels/support/launch_facts.hpp"
#include "kernels/support/variant_call.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/variant_workload.hpp"
#endif

namespace kprof {

std::size_t size_of(Element element, DType dtype) {
    switch (element) {
        case Element::of_call:
            return size_of(dtype);
        case Element::fp64:
            return 8;
        case Element::fp32:
        case Element::int32:
        case Element::uint32:
            return 4;
        case Element::bf16:
        case Element::fp16:
            return 2;
        case Element::fp8:
        case Element::int8:
            return 1;
    }
    throw Error(ExitCode::internal, "an element type without a size");
}

Call call_of(const Variant& variant, const Shape& shape, DType dtype) {
    Call call;
    call.dtype = dtype;
    for (std::size_t i = 0; i < variant.extents.size(); ++i) call.extent[i] = shape.at(variant.extents[i]);
    return call;
}

namespace {

Work work_of(const Variant& variant, const Shape& shape, DType dtype) {
    const Call call = call_of(variant, shape, dtype);
    Work work;
    work.flops = variant.flops != nullptr ? variant.flops(call) : 0;
    work.min_bytes = variant.min_bytes(call);
    work.precision = *variant.precision != '\0' ? variant.precision : to_string(dtype);
    work.matrix_product = variant.matrix_product;
    return work;
}

double device_bytes_of(const Variant& variant, const Shape& shape, DType dtype) {
    const Call call = call_of(variant, shape, dtype);
    double bytes = 1e6;
    for (const BufferSpec& buffer : variant.buffers) {
        bytes +=
            static_cast<double>(buffer.count(call)) * static_cast<double>(size_of(buffer.element, dtype));
    }
    if (variant.reference_scratch != nullptr) {
        bytes += 8 * static_cast<double>(variant.reference_scratch(call));
    }
    return bytes + verification_bytes(variant, call);
}

Shape default_shape(const Variant& variant) {
    if (variant.extents.size() != variant.default_shape.size()) {
        throw Error(ExitCode::internal,
                    std::string("the default shape of ") + variant.family + "/" + variant.name);
    }
    Shape shape;
    for (std::size_t i = 0; i < variant.extents.size(); ++i) {
        shape.extents.emplace_back(variant.extents[i], variant.default_shape[i]);
    }
    return shape;
}

std::string refusal_of(const Variant& variant, const Shape& shape, DType dtype) {
    const char* why = variant.refuses(call_of(variant, shape, dtype));
    return why != nullptr ? why : "";
}

KernelDef def_of(const Variant& variant) {
    KernelDef def;
    def.family = variant.family;
    def.variant = variant.name;
    def.title = variant.title;
    def.extents = {variant.extents.begin(), variant.extents.end()};
    def.default_shape = default_shape(variant);
    def.dtypes = variant.dtypes;
    def.work = [variant](const Shape& s, DType t) { return work_of(variant, s, t); };
    def.device_bytes = [variant](const Shape& s, DType t) { return device_bytes_of(variant, s, t); };
    if (variant.geometry != nullptr) {
        def.launch = [variant](const Shape& s, DType t) {
            return launch_facts(variant.geometry(call_of(variant, s, t)));
        };
    }
    if (variant.refuses != nullptr) {
        def.refuses = [variant](const Shape& s, DType t) { return refusal_of(variant, s, t); };
    }
    def.expected = variant.expected;
    def.twin = variant.twin;
    def.rung = variant.rung;
    def.is_default = variant.is_default;
    def.needs = {variant.needs.cc_major, variant.needs.cc_minor, variant.needs.what};
#ifdef KPROF_WITH_CUDA
    def.make = [variant](const Shape& s, DType t) -> std::unique_ptr<Workload> {
        return std::make_unique<VariantWorkload>(variant, call_of(variant, s, t));
    };
#endif
    return def;
}

}  // namespace

RegisterVariant::RegisterVariant(const Variant& variant) {
    const RegisterKernel registration{def_of(variant)};
}

}  // namespace kprof
