#include "collect/cuda/clocks.hpp"

#include <fmt/format.h>

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "collect/cuda/dynlib.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

// NVML's stable C interface, declared here because the toolkit does not always bring nvml.h.
using Device = struct nvmlDevice_st*;
constexpr int success = 0;          // NVML_SUCCESS
constexpr unsigned clock_sm = 1;    // NVML_CLOCK_SM
constexpr unsigned sensor_gpu = 0;  // NVML_TEMPERATURE_GPU

}  // namespace

struct Clocks::Nvml {
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    const char* (*error_string)(int) = nullptr;
    int (*system_driver_version)(char*, unsigned) = nullptr;
    int (*handle_by_pci)(const char*, Device*) = nullptr;
    int (*clock_info)(Device, unsigned, unsigned*) = nullptr;
    int (*power_usage)(Device, unsigned*) = nullptr;
    int (*temperature)(Device, unsigned, unsigned*) = nullptr;
    int (*throttle_reasons)(Device, unsigned long long*) = nullptr;
    int (*mig_mode)(Device, unsigned*, unsigned*) = nullptr;
    Device device = nullptr;
    bool initialised = false;

    // False when a function that kprof cannot do without is missing.
    bool fill(const DynamicLibrary& library) {
        const auto get = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        };
        get(init, "nvmlInit_v2");
        get(shutdown, "nvmlShutdown");
        get(error_string, "nvmlErrorString");
        get(system_driver_version, "nvmlSystemGetDriverVersion");
        get(handle_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
        get(clock_info, "nvmlDeviceGetClockInfo");
        get(power_usage, "nvmlDeviceGetPowerUsage");
        get(temperature, "nvmlDeviceGetTemperature");
        get(throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons");
        if (throttle_reasons == nullptr) get(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
        get(mig_mode, "nvmlDeviceGetMigMode");
        return init != nullptr && shutdown != nullptr && handle_by_pci != nullptr;
    }
};

Clocks::Clocks(const std::string& pci_bus_id) : nvml_(std::make_unique<Nvml>()) {
    const DynamicLibrary library =
        DynamicLibrary::open({{"libnvidia-ml.so.1"},
                              {"/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu", "/usr/local/nvidia/lib64"},
                              false,
                              false});
    if (!library.loaded()) {
        problem_ = "NVML was not found: " + join(library.tried(), "; ");
        return;
    }
    if (!nvml_->fill(library)) {
        problem_ = library.path() + " is too old: functions that kprof needs are missing";
        return;
    }
    const auto failed = [&](const char* call, int code) {
        const char* text = nvml_->error_string == nullptr ? nullptr : nvml_->error_string(code);
        problem_ = fmt::format("{} returned {} ({})", call, code, text == nullptr ? "unknown error" : text);
    };
    if (const int code = nvml_->init(); code != success) {
        failed("nvmlInit_v2", code);
        return;
    }
    nvml_->initialised = true;
    if (pci_bus_id.empty()) {
        problem_ = "the GPU's PCI address is not known";
        return;
    }
    if (const int code = nvml_->handle_by_pci(pci_bus_id.c_str(), &nvml_->device); code != success) {
        nvml_->device = nullptr;
        failed("nvmlDeviceGetHandleByPciBusId_v2", code);
    }
}

Clocks::~Clocks() {
    if (nvml_->initialised) nvml_->shutdown();
}

std::string Clocks::driver_version() const {
    std::array<char, 96> text{};
    if (!nvml_->initialised || nvml_->system_driver_version == nullptr ||
        nvml_->system_driver_version(text.data(), static_cast<unsigned>(text.size())) != success) {
        return {};
    }
    return text.data();
}

std::optional<double> Clocks::sm_mhz() const {
    unsigned value = 0;
    if (nvml_->device == nullptr || nvml_->clock_info == nullptr ||
        nvml_->clock_info(nvml_->device, clock_sm, &value) != success) {
        return std::nullopt;
    }
    return value;
}

std::optional<double> Clocks::power_w() const {
    unsigned milliwatts = 0;
    if (nvml_->device == nullptr || nvml_->power_usage == nullptr ||
        nvml_->power_usage(nvml_->device, &milliwatts) != success) {
        return std::nullopt;
    }
    return milliwatts / 1000.0;
}

std::optional<double> Clocks::temperature_c() const {
    unsigned value = 0;
    if (nvml_->device == nullptr || nvml_->temperature == nullptr ||
        nvml_->temperature(nvml_->device, sensor_gpu, &value) != success) {
        return std::nullopt;
    }
    return value;
}

std::string Clocks::throttle() const {
    unsigned long long mask = 0;
    if (nvml_->device == nullptr || nvml_->throttle_reasons == nullptr ||
        nvml_->throttle_reasons(nvml_->device, &mask) != success) {
        return {};
    }
    return throttle_names(mask);
}

std::optional<bool> Clocks::mig() const {
    unsigned current = 0;
    unsigned pending = 0;
    if (nvml_->device == nullptr || nvml_->mig_mode == nullptr ||
        nvml_->mig_mode(nvml_->device, &current, &pending) != success) {
        return std::nullopt;
    }
    return current == 1;
}

std::string throttle_names(unsigned long long mask) {
    // Bits of nvmlClocksEventReasons. Left out: 0x1 idle, 0x2 application clocks, 0x100 display clock.
    static const std::vector<std::pair<unsigned long long, const char*>> names = {
        {0x4, "power cap"}, {0x8, "hardware slowdown"}, {0x10, "sync boost"},
        {0x20, "thermal"},  {0x40, "hardware thermal"}, {0x80, "power brake"},
    };
    std::vector<std::string> found;
    for (const auto& [bit, name] : names) {
        if ((mask & bit) != 0) found.emplace_back(name);
    }
    return join(found, ", ");
}

}  // namespace kprof
