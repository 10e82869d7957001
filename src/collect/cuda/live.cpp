#include "collect/live.hpp"

#include <fmt/format.h>

#include "collect/cuda/cupti_api.hpp"
#include "collect/cuda/device_facts.hpp"
#include "collect/cuda/driver.hpp"
#include "collect/environment.hpp"

namespace kprof {
namespace {

// The range profiler API needs Turing or later.
bool profilable(const DeviceFacts& d) {
    return d.cc_major * 10 + d.cc_minor >= 75;
}

}  // namespace

GpuLook look_for_gpu(int device) {
    GpuLook look;
    const DriverState& state = driver_state();
    if (!state.usable) {
        look.why_not = state.why_not;
        look.remedy = state.remedy;
        return look;
    }
    int count = 0;
    if (state.table.device_get_count(&count) != CUDA_SUCCESS || count == 0) {
        look.why_not = "the NVIDIA driver offers no GPU";
        look.remedy = "check CUDA_VISIBLE_DEVICES, and that nvidia-smi lists a GPU";
        return look;
    }
    if (device < 0 || device >= count) {
        look.why_not = fmt::format("there is no GPU {}: this machine has {}", device, count);
        look.remedy = fmt::format("--device 0 to {}", count - 1);
        return look;
    }
    try {
        look.device = device_facts(device);
    } catch (const Error& e) {
        look.why_not = e.what();
        look.remedy = e.hint();
        return look;
    }
    if (!profilable(*look.device)) {
        look.why_not = fmt::format("{} has compute capability {}.{}, CUPTI's range profiler needs 7.5",
                                   look.device->name, look.device->cc_major, look.device->cc_minor);
        look.remedy = "use a Turing GPU or a later one, or --source recording or --source model";
        return look;
    }
    look.usable = true;
    return look;
}

std::vector<std::string> runtime_versions() {
    std::vector<std::string> versions;
    const HostLook host = look_at_host();
    if (!host.driver.empty()) versions.push_back("driver " + host.driver);
    const CuptiState& state = cupti_state();
    if (state.version != 0) versions.push_back("CUPTI " + cupti_version_text(state.version));
    return versions;
}

}  // namespace kprof
