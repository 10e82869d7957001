#include "collect/cuda/cupti_target.hpp"

#include "collect/cuda/range_session.hpp"
#include "core/strings.hpp"

namespace kprof {

void initialize_profiler() {
    driver();  // CUPTI's device functions need an initialised driver
    auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
    check(cupti().profiler_initialize(&params), "cuptiProfilerInitialize");
}

std::string chip_name(int ordinal) {
    driver();
    auto params = KPROF_CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
    params.deviceIndex = static_cast<std::size_t>(ordinal);
    check(cupti().get_chip_name(&params), "cuptiDeviceGetChipName");
    return params.pChipName == nullptr ? std::string() : std::string(params.pChipName);
}

std::vector<std::string> unsupported_features(CUdevice device) {
    driver();
    auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params);
    params.cuDevice = device;
    params.api = CUPTI_PROFILER_RANGE_PROFILING;
    check(cupti().device_supported(&params), "cuptiProfilerDeviceSupported");
    if (params.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return {};
    std::vector<std::string> found;
    const auto look = [&](CUpti_Profiler_Support_Level level, const char* feature) {
        if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED) {
            found.push_back(std::string(feature) + ": not supported");
        } else if (level == CUPTI_PROFILER_CONFIGURATION_DISABLED) {
            found.push_back(std::string(feature) + ": profiling is disabled by the host");
        }
    };
    look(params.architecture, "architecture (compute capability)");
    look(params.sli, "SLI");
    look(params.vGpu, "virtual GPU");
    look(params.confidentialCompute, "confidential computing");
    look(params.cmp, "mining processor");
    look(params.wsl, "WSL");
    if (found.empty()) found.emplace_back("CUPTI does not say which feature forbids it");
    return found;
}

CuptiTarget::CuptiTarget(const PrimaryContext& context, int ordinal) {
    initialize_profiler();
    const std::vector<std::string> forbidden = unsupported_features(context.device());
    if (!forbidden.empty()) {
        throw environment_error("this GPU cannot be profiled here: " + join(forbidden, "; "),
                                "kprof doctor says more; --source recording and --source model need no GPU");
    }
    const std::string chip = chip_name(ordinal);
    host_ = std::make_unique<CuptiHost>(chip, counter_availability(context.context()));
}

}  // namespace kprof
