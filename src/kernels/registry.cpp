#include "kernels/registry.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

// A function's static, so that registration works in whatever order the files' objects are made.
std::vector<std::unique_ptr<KernelDef>>& storage() {
    static std::vector<std::unique_ptr<KernelDef>> kernels;
    return kernels;
}

std::vector<std::string> variant_names(const std::string& family) {
    std::vector<std::string> names;
    for (const KernelDef* def : variants_of(family)) names.push_back(def->variant);
    return names;
}

std::vector<std::string> dtype_names(const KernelDef& def) {
    std::vector<std::string> names;
    for (const DType t : def.dtypes) names.emplace_back(to_string(t));
    return names;
}

// "kprof run gemm --variant wmma|cublas --dtype bf16", or "" when no variant of the family has it.
std::string who_has(const std::string& family, DType dtype) {
    std::vector<std::string> names;
    for (const KernelDef* def : variants_of(family)) {
        if (std::find(def->dtypes.begin(), def->dtypes.end(), dtype) != def->dtypes.end()) {
            names.push_back(def->variant);
        }
    }
    if (names.empty()) return {};
    return "kprof run " + family + " --variant " + join(names, "|") + " --dtype " + to_string(dtype);
}

Shape shape_for(const KernelDef& def, const Shape& requested) {
    if (requested.extents.empty()) return def.default_shape;
    std::vector<std::string> names;
    for (const auto& [name, extent] : requested.extents) {
        names.push_back(name);
        if (extent < 1 || extent > 2147483647) {
            throw usage_error("the extent " + name + "=" + std::to_string(extent) + " of " + def.family +
                                  " is not in 1 ... 2147483647",
                              "give another --shape, for example " + to_string(def.default_shape));
        }
    }
    if (names != def.extents) {
        throw usage_error(def.family + " has the extents " + join(def.extents, ", ") + ", the shape has " +
                              join(names, ", "),
                          "give --shape " + to_string(def.default_shape));
    }
    return requested;
}

}  // namespace

RegisterKernel::RegisterKernel(KernelDef def) {
    storage().push_back(std::make_unique<KernelDef>(std::move(def)));
}

const std::vector<const KernelDef*>& all_kernels() {
    static const std::vector<const KernelDef*> sorted = [] {
        std::vector<const KernelDef*> list;
        list.reserve(storage().size());
        for (const auto& def : storage()) list.push_back(def.get());
        std::sort(list.begin(), list.end(), [](const KernelDef* a, const KernelDef* b) {
            return std::tie(a->family, a->rung, a->variant) < std::tie(b->family, b->rung, b->variant);
        });
        return list;
    }();
    return sorted;
}

std::vector<std::string> kernel_families() {
    std::vector<std::string> families;
    for (const KernelDef* def : all_kernels()) {
        if (families.empty() || families.back() != def->family) families.push_back(def->family);
    }
    return families;
}

std::vector<const KernelDef*> variants_of(const std::string& family) {
    std::vector<const KernelDef*> list;
    for (const KernelDef* def : all_kernels()) {
        if (def->family == family) list.push_back(def);
    }
    return list;
}

const KernelDef& find_kernel(const std::string& family, const std::string& variant) {
    const auto variants = variants_of(family);
    if (variants.empty()) {
        throw usage_error("there is no kernel '" + family + "'" + did_you_mean(family, kernel_families()),
                          "kernels: " + join(kernel_families(), ", ") + " (kprof list kernels)");
    }
    for (const KernelDef* def : variants) {
        if (variant.empty() ? def->is_default : def->variant == variant) return *def;
    }
    const auto names = variant_names(family);
    throw usage_error(family + " has no variant '" + variant + "'" + did_you_mean(variant, names),
                      "variants of " + family + ": " + join(names, ", ") + " (kprof list variants)");
}

DType dtype_for(const KernelDef& def, const std::string& text) {
    if (text.empty()) return def.dtypes.front();
    const auto names = dtype_names(def);
    const std::optional<DType> dtype = dtype_from(text);
    if (!dtype) {
        throw usage_error("there is no dtype '" + text + "'" + did_you_mean(text, names),
                          def.family + "/" + def.variant + " has: " + join(names, ", "));
    }
    if (std::find(def.dtypes.begin(), def.dtypes.end(), *dtype) == def.dtypes.end()) {
        const std::string other = who_has(def.family, *dtype);
        throw usage_error(
            def.family + "/" + def.variant + " has no dtype '" + text + "'; it has " + join(names, ", "),
            other.empty() ? "use --dtype " + names.front() : other);
    }
    return *dtype;
}

KernelPlan plan_kernel(const KernelRequest& request) {
    const KernelDef& def = find_kernel(request.family, request.variant);
    const DType dtype = dtype_for(def, request.dtype);
    const Shape shape = shape_for(def, request.shape);
    if (def.refuses) {
        const std::string why = def.refuses(shape, dtype);
        if (!why.empty()) {
            throw usage_error(def.family + "/" + def.variant + " cannot run " + to_string(shape) + ": " + why,
                              "give another --shape, for example " + to_string(def.default_shape));
        }
    }
    KernelPlan plan;
    plan.needs = def.needs;
    plan.id.name = def.family + " / " + def.variant;
    plan.id.short_name = def.family + "/" + def.variant;
    plan.id.family = def.family;
    plan.id.variant = def.variant;
    plan.id.dtype = to_string(dtype);
    plan.id.shape = shape;
    plan.work = def.work(shape, dtype);
    plan.device_bytes = def.device_bytes(shape, dtype);
    if (def.launch) plan.launch = def.launch(shape, dtype);
    if (def.make) {
        plan.make = [make = def.make, shape, dtype] { return make(shape, dtype); };
    }
    return plan;
}

}  // namespace kprof
