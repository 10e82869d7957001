#include "cli/job.hpp"

#include <algorithm>

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

}  // namespace

std::vector<KernelRequest> make_jobs(const RunOptions& o) {
    const std::vector<const KernelDef*> variants = chosen_variants(o);
    const bool every_dtype = o.dtype == "all" || (o.all && o.dtype.empty());
    std::vector<KernelRequest> jobs;
    for (const KernelDef* def : variants) {
        std::vector<DType> types;
        if (every_dtype) {
            types = def->dtypes;
        } else if (variants.size() == 1) {
            types = {dtype_for(*def, o.dtype)};
        } else if (o.dtype.empty()) {
            types = {def->dtypes.front()};
        } else if (const auto wanted = dtype_from(o.dtype); !wanted) {
            dtype_for(*def, o.dtype);  // throws, naming the nearest
        } else if (has(*def, *wanted)) {
            types = {*wanted};
        }
        const Shape shape = o.shape.empty() ? def->default_shape : parse_shape(o.shape, def->extents);
        for (const DType t : types) jobs.push_back({def->family, def->variant, to_string(t), shape});
    }
    if (jobs.empty())
        throw usage_error("no variant takes dtype '" + o.dtype + "'",
                          "kprof list variants   shows the dtypes of each");
    return jobs;
}

}  // namespace kprof::cli
