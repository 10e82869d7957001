// A kernel made ready: inputs on the device, outputs poisoned, launched as often as wanted. The kernels
// implement it, live collection uses it; collection knows no kernel by name. Life: make (allocates, fills
// with random numbers) -> reset() -> launch() ... -> verify(). All work on the legacy stream.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/profile.hpp"

namespace kprof {

// One thing to measure: a built-in kernel at a shape and dtype.
struct KernelRequest {
    std::string family, variant, dtype;
    Shape shape;
};

class Workload {
  public:
    virtual ~Workload() = default;
    // Undoes what a launch changed where that matters (in-place kernels) and poisons the output. Outside any
    // range.
    virtual void reset() = 0;
    // Enqueues the kernel(s). Throws Error(environment) on a launch error.
    virtual void launch() = 0;
    // Compares the output of the last launch with a reference of higher precision.
    virtual Verification verify() = 0;
    // Kernels per launch() (1 for most).
    virtual int launches() const { return 1; }
    // For counters, whose cost is per kernel: enqueues some of the kernels of a run of hundreds, which stand
    // for all. Sums are then scaled by launches() / sample_launches(), and the profile says so.
    virtual int sample_launches() const { return launches(); }
    virtual void launch_sample() { launch(); }
};

// The chip that a kernel is written for.
struct ChipNeeds {
    int cc_major = 0, cc_minor = 0;  // exactly this compute capability; 0: any
    std::string what;                // "TMA and WGMMA"
};
// "gemm/wgmma needs compute capability 9.0 (TMA and WGMMA), this GPU has 8.0"; "" when the device has what is
// needed.
std::string missing_on(const ChipNeeds& needs, const std::string& kernel, const DeviceFacts& device);

// What a request means: identity, work, needs, and how to make it ready.
struct KernelPlan {
    KernelId id;
    Work work;
    double device_bytes = 0;       // device memory that it needs
    std::optional<Launch> launch;  // where the code fixes it by shape (for the model source)
    ChipNeeds needs;
    // Empty in a build without CUDA.
    std::function<std::unique_ptr<Workload>()> make;
};

// Turns a request into a plan; throws Error(usage) for an unknown kernel, variant or dtype.
using Planner = std::function<KernelPlan(const KernelRequest&)>;

}  // namespace kprof
