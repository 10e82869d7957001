#include "kernels/support/gemm_family.hpp"

#include "kernels/registry.hpp"
#include "kernels/support/launch_facts.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_workload.hpp"
#endif

namespace kprof {
namespace {

struct Extents {
    double m, n, k;
};

Extents extents_of(const Shape& shape) {
    return {static_cast<double>(shape.at("m")), static_cast<double>(shape.at("n")),
            static_cast<double>(shape.at("k"))};
}

double matrix_bytes(const Shape& shape, DType dtype) {
    const auto [m, n, k] = extents_of(shape);
    return (m * k + k * n + m * n) * static_cast<double>(size_of(dtype));
}

Work work_of(const Shape& shape, DType dtype) {
    const auto [m, n, k] = extents_of(shape);
    Work work;
    work.flops = 2 * m * n * k;
    work.min_bytes = matrix_bytes(shape, dtype);
    work.precision = to_string(dtype);
    work.matrix_product = true;
    return work;
}

// Verification projects onto vectors of n and k numbers in FP64; the rest of it is small.
double device_bytes_of(const Shape& shape, DType dtype, double extra) {
    const auto [m, n, k] = extents_of(shape);
    return matrix_bytes(shape, dtype) + 8 * (n + k) + extra + 1e6;
}

Launch launch_of(const GemmVariant& variant, const Shape& shape, DType dtype) {
    GemmCall call;
    call.m = static_cast<std::int32_t>(shape.at("m"));
    call.n = static_cast<std::int32_t>(shape.at("n"));
    call.k = static_cast<std::int32_t>(shape.at("k"));
    call.dtype = dtype;
    return launch_facts(variant.geometry(call));
}

KernelDef def_of(const GemmVariant& variant) {
    KernelDef def;
    def.family = "gemm";
    def.variant = variant.name;
    def.title = variant.title;
    def.extents = {"m", "n", "k"};
    def.default_shape = Shape{{{"m", 4096}, {"n", 4096}, {"k", 4096}}};
    def.dtypes = variant.dtypes;
    def.work = work_of;
    def.device_bytes = [extra = variant.extra_device_bytes](const Shape& shape, DType dtype) {
        return device_bytes_of(shape, dtype, extra);
    };
    if (variant.geometry != nullptr) {
        def.launch = [variant](const Shape& shape, DType dtype) { return launch_of(variant, shape, dtype); };
    }
    def.expected = variant.expected;
    def.twin = variant.twin;
    def.rung = variant.rung;
    def.is_default = variant.is_default;
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
