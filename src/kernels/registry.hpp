// The reference kernels: what exists, and how to make one ready to run. Facts (FLOPs, bytes, labels) are here
// without CUDA; make_workload needs a CUDA build.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/workload.hpp"
#include "core/dtype.hpp"
#include "core/profile.hpp"
#include "core/shape.hpp"

namespace kprof {

struct KernelDef {
    std::string family, variant;
    std::string title;                 // one line for `kprof list`
    std::vector<std::string> extents;  // {"m","n","k"} or {"n"}
    Shape default_shape;
    std::vector<DType> dtypes;  // first is the default
    // FLOPs and minimum bytes as functions of shape and dtype, with the roof the arithmetic belongs to.
    std::function<Work(const Shape&, DType)> work;
    // Device memory needed, in bytes (for "does not fit").
    std::function<double(const Shape&, DType)> device_bytes;
    // Why this shape cannot run ("n must be a multiple of 8"), or ""; may be empty: every shape runs.
    std::function<std::string(const Shape&, DType)> refuses;
    // The launch as the code makes it, where it is fixed by shape (model source); may be empty.
    std::function<Launch(const Shape&, DType)> launch;
    // A planted bottleneck (a rule id) and the twin variant that mends only that; "none" at a limit
    // ("at_limit:dram").
    std::string expected;
    std::string twin;
    int rung = 0;             // order in the ladder (--variant all)
    bool is_default = false;  // the family's default variant
    ChipNeeds needs;          // a chip that it needs; elsewhere it is left out, with this reason
    // Null in a build without CUDA.
    std::function<std::unique_ptr<Workload>(const Shape&, DType)> make;
};

// Registration happens in each kernel's file: `static const RegisterKernel r{KernelDef{...}};`
struct RegisterKernel {
    explicit RegisterKernel(KernelDef def);
};

// All kernels, by family, then rung.
const std::vector<const KernelDef*>& all_kernels();
std::vector<std::string> kernel_families();
// Unknown family or variant: Error(usage) with the nearest names. `variant` "" takes the default.
const KernelDef& find_kernel(const std::string& family, const std::string& variant);
std::vector<const KernelDef*> variants_of(const std::string& family);
// Checks the dtype of a request: Error(usage) naming those that the variant has. "" takes the default.
DType dtype_for(const KernelDef& def, const std::string& text);

// The Planner of collection: resolves the request (defaults filled in) against the registry.
KernelPlan plan_kernel(const KernelRequest& request);

}  // namespace kprof
