// Live collection on a GPU of this machine. The same interface in a build without CUDA (no_cuda.cpp), where
// everything answers that this binary was built without it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/counter_source.hpp"

namespace kprof {

// A usable GPU, or why not. Cheap: opens libcuda and asks for the device count; never touches CUPTI.
struct GpuLook {
    bool usable = false;
    std::string why_not;  // "no NVIDIA driver (libcuda.so.1 was not found)" ...
    std::string remedy;
    std::optional<DeviceFacts> device;
};
GpuLook look_for_gpu(int device = 0);

// Throws Error(environment) when there is none.
std::unique_ptr<CounterSource> make_live_source(Planner planner);

// One line of `kprof doctor`.
struct Check {
    std::string name;
    std::string state;   // ok | warning | bad | skipped
    std::string detail;  // what was found
    std::string remedy;  // exactly what to change
};
std::vector<Check> doctor_checks();

// Versions of what was found at run time, for --version: "driver 580.159.04", "CUPTI 13.0.1" (empty when
// there is none).
std::vector<std::string> runtime_versions();

}  // namespace kprof
