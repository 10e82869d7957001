#include "cli/job.hpp"

#include <algorithm>

#include "cli/layer.hpp"
#include "cli/sweep.hpp"
#include "core/error.hpp"
#include "core/strings.hpp"
#include "kernels/registry.hpp"

namespace kprof::cli {

namespace {

bool has(const KernelDef& def, DType t) {
    return std::find(def.dtypes.begin(), def.dtypes.end(), t) != def.dtypes.end();
}

std::vector<const KernelDef*> chosen_variants(const RunOptions& o) {
    if (o.all) {
        if (!o.kernel.empty())
            throw usage_error("--all runs every kernel; '" + o.kernel + "' is one", "drop one of them");
        if (!o.variant.empty() || !o.shape.empty())
            throw usage_error(
                "--all runs every variant at its own shape; it takes neither --variant nor --shape",
                "kprof run KERNEL --variant all --shape S   runs one family");
        return all_kernels();
    }
    if (o.kernel.empty())
        throw usage_error("no kernel given", "kprof list kernels   shows them; kprof run gemm   runs one");
    if (o.variant == "all") {
        find_kernel(o.kernel, "");  // an unknown family is told before anything else
        return variants_of(o.kernel);
    }
    return {&find_kernel(o.kernel, o.variant)};
}

std::vector<DType> chosen_types(const KernelDef& def, const RunOptions& o, bool one_variant) {
    if (o.dtype == "all" || (o.all && o.dtype.empty())) return def.dtypes;
    if (one_variant) return {dtype_for(def, o.dtype)};
    if (o.dtype.empty()) return {def.dtypes.front()};
    const auto wanted = dtype_from(o.dtype);
    if (!wanted) dtype_for(def, o.dtype);  // throws, naming the nearest
    if (!has(def, *wanted)) return {};
    return {*wanted};
}

// What the variant lacks of another's fault: the variant whose twin this one is.
std::string mended_by(const KernelDef& def) {
    std::string mends;
    for (const KernelDef* other : variants_of(def.family)) {
        if (other->twin == def.variant) mends = other->variant;  // the nearest below in the ladder
    }
    return mends;
}

Series ladder_of(const std::vector<KernelRequest>& requests, const RunOptions& o) {
    Series series;
    series.kind = "ladder";
    const Shape& first = requests.front().shape;
    const bool one_shape = std::all_of(requests.begin(), requests.end(),
                                       [&](const KernelRequest& r) { return r.shape == first; });
    series.title =
        (o.all ? "every reference kernel" : o.kernel) + (one_shape ? " · " + to_string(first) : "");
    for (const KernelRequest& r : requests) {
        const KernelDef& def = find_kernel(r.family, r.variant);
        series.rows.push_back(
            {o.all ? r.family + "/" + r.variant : r.variant, def.expected, mended_by(def), 1});
    }
    return series;
}

Jobs sweep_jobs(const RunOptions& o) {
    if (o.all || o.variant == "all" || o.dtype == "all" || !o.shape.empty())
        throw usage_error("--sweep runs one variant and dtype at many sizes",
                          "kprof run gemm --variant cublas --dtype bf16 --sweep 1024:16384:x2");
    const KernelDef& def = *chosen_variants(o).front();
    const std::string dtype = to_string(dtype_for(def, o.dtype));
    Jobs jobs;
    Series series;
    series.kind = "sweep";
    series.title = def.family + " / " + def.variant + " · " + dtype + " · " + o.sweep;
    for (const Shape& shape : parse_sweep(o.sweep, def.extents)) {
        const KernelRequest request{def.family, def.variant, dtype, shape};
        plan_kernel(request);  // a size that the kernel refuses is told before the first is run
        jobs.requests.push_back(request);
        series.rows.push_back({to_string(shape), "", "", 1});
    }
    jobs.series = std::move(series);
    return jobs;
}

}  // namespace

Jobs make_jobs(const RunOptions& o, const ConfigStore& store) {
    if (o.kernel == "llm" && !o.all) return layer_jobs(o, store);
    if (!o.sweep.empty()) return sweep_jobs(o);
    const std::vector<const KernelDef*> variants = chosen_variants(o);
    Jobs jobs;
    for (const KernelDef* def : variants) {
        const Shape shape = o.shape.empty() ? def->default_shape : parse_shape(o.shape, def->extents);
        for (const DType t : chosen_types(*def, o, variants.size() == 1))
            jobs.requests.push_back({def->family, def->variant, to_string(t), shape});
    }
    if (jobs.requests.empty())
        throw usage_error("no variant takes dtype '" + o.dtype + "'",
                          "kprof list variants   shows the dtypes of each");
    if (o.variant == "all" || o.all) jobs.series = ladder_of(jobs.requests, o);
    return jobs;
}

}  // namespace kprof::cli
