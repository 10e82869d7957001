#include "kernels/support/gemm_family.hpp"

#include "kernels/registry.hpp"
#include "kernels/support/gemm_call.hpp"
#include "kernels/support/launch_facts.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_workload.hpp"
#endif

namespace kprof {
namespace {

double bytes_of(const GemmElements& elements, DType dtype) {
    return static_cast<double>(elements.a + elements.b) * static_cast<double>(size_of(dtype)) +
           static_cast<double>(elements.c + elements.bias) *
               static_cast<double>(size_of(product_dtype(dtype)));
}

// Of the task: the extents asked for, whatever the variant's padding. A GELU's dozen operations an element
// are left out: they are not matrix arithmetic, and the same for twins.
Work work_of(GemmVariant variant, const Shape& shape, DType dtype) {
    variant.padding = 1;
    const GemmCall call = gemm_call_of(variant, shape, dtype);
    Work work;
    work.flops = 2.0 * call.m * call.n * call.k;
    work.min_bytes = bytes_of(gemm_elements(variant, call), dtype);
    work.precision = to_string(dtype);
    work.matrix_product = true;
    return work;
}

// Verification projects onto vectors of n and k numbers in FP64; the rest of it is small.
double device_bytes_of(const GemmVariant& variant, const Shape& shape, DType dtype) {
    const GemmCall call = gemm_call_of(variant, shape, dtype);
    const double extra = variant.extra_device_bytes != nullptr ? variant.extra_device_bytes(call) : 0;
    return bytes_of(gemm_elements(variant, call), dtype) + 8.0 * (static_cast<double>(call.n) + call.k) +
           extra + 1e6;
}

std::string refusal_of(const GemmVariant& variant, const Shape& shape, DType dtype) {
    const char* why = variant.refuses(gemm_call_of(variant, shape, dtype));
    return why != nullptr ? why : "";
}

KernelDef def_of(const GemmVariant& variant) {
    const auto& [m, n, k] = variant.default_shape;
    KernelDef def;
    def.family = "gemm";
    def.variant = variant.name;
    def.title = variant.title;
    def.extents = {"m", "n", "k"};
    def.default_shape = Shape{{{"m", m}, {"n", n}, {"k", k}}};
    def.dtypes = variant.dtypes;
    def.work = [variant](const Shape& s, DType t) { return work_of(variant, s, t); };
    def.device_bytes = [variant](const Shape& s, DType t) { return device_bytes_of(variant, s, t); };
    if (variant.geometry != nullptr) {
        def.launch = [variant](const Shape& s, DType t) {
            return launch_facts(variant.geometry(gemm_call_of(variant, s, t)));
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
    def.make = [variant](const Shape& shape, DType dtype) -> std::unique_ptr<Workload> {
        return std::make_unique<GemmWorkload>(variant, shape, dtype);
    };
#endif
    return def;
}

}  // namespace

RegisterGemm::RegisterGemm(const GemmVariant& variant) {
    const RegisterKernel registration{def_of(variant)};
}

}  // namespace kprof
