#include "kernels/support/stream_family.hpp"

#include "kernels/registry.hpp"
#include "kernels/support/launch_facts.hpp"
#ifdef KPROF_WITH_CUDA
#include "kernels/support/stream_workload.hpp"
#endif

namespace kprof {
namespace {

double stream_bytes(const StreamVariant& variant, const Shape& shape, DType dtype) {
    return (variant.inputs + 1) * static_cast<double>(shape.at("n")) * static_cast<double>(size_of(dtype));
}

Work work_of(const StreamVariant& variant, const Shape& shape, DType dtype) {
    Work work;
    work.flops = variant.flops_per_element * static_cast<double>(shape.at("n"));
    work.min_bytes = stream_bytes(variant, shape, dtype);
    work.precision = to_string(dtype);
    return work;
}

Launch launch_of(const StreamVariant& variant, const Shape& shape, DType dtype) {
    StreamCall call;
    call.n = shape.at("n");
    call.dtype = dtype;
    return launch_facts(variant.geometry(call));
}

KernelDef def_of(const StreamVariant& variant) {
    KernelDef def;
    def.family = variant.family;
    def.variant = variant.name;
    def.title = variant.title;
    def.extents = {"n"};
    def.default_shape = Shape{{{"n", std::int64_t{1} << 28}}};
    def.dtypes = variant.dtypes;
    def.work = [variant](const Shape& shape, DType dtype) { return work_of(variant, shape, dtype); };
    def.device_bytes = [variant](const Shape& shape, DType dtype) {
        return stream_bytes(variant, shape, dtype) + 1e6;
    };
    def.launch = [variant](const Shape& shape, DType dtype) { return launch_of(variant, shape, dtype); };
    def.expected = variant.expected;
    def.twin = variant.twin;
    def.rung = variant.rung;
    def.is_default = variant.is_default;
#ifdef KPROF_WITH_CUDA
    def.make = [variant](const Shape& shape, DType dtype) -> std::unique_ptr<Workload> {
        return std::make_unique<StreamWorkload>(variant, shape, dtype);
    };
#endif
    return def;
}

}  // namespace

RegisterStream::RegisterStream(const StreamVariant& variant) {
    const RegisterKernel registration{def_of(variant)};
}

}  // namespace kprof
