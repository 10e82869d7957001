#include "collect/cuda/cupti_api.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "collect/cuda/dynlib.hpp"
#include "collect/environment.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

int major_of(std::uint32_t version) {
    if (version >= 100000) return static_cast<int>(version / 10000);
    return version >= 19 ? 12 : 11;
}

std::string fill(CuptiApi& table, const DynamicLibrary& library) {
#define KPROF_LOAD(member, function)                                      \
    {                                                                     \
        void* address = library.symbol(#function);                        \
        if (address == nullptr) return #function;                         \
        table.member = reinterpret_cast<decltype(table.member)>(address); \
    }
    KPROF_CUPTI_FUNCTIONS(KPROF_LOAD)
#undef KPROF_LOAD
    return {};
}

// CUPTI opens plain "libnvperf_host.so", which is beside it but rarely on the loader's path: loaded first by
// its full name, the later open finds it.
std::string preload_host_library(const std::string& cupti_path) {
    std::vector<std::string> files;
    const std::filesystem::path given(cupti_path);
    std::error_code ignored;
    const std::filesystem::path real = std::filesystem::canonical(given, ignored);
    for (const auto& folder : {given.parent_path(), real.parent_path()}) {
        if (!folder.empty()) files.push_back((folder / "libnvperf_host.so").string());
    }
    files.emplace_back("libnvperf_host.so");
    for (const std::string& file : files) {
        const DynamicLibrary library = DynamicLibrary::open({{file}, {}, true, false});
        if (library.loaded()) return library.path();
    }
    return {};
}

CuptiState open_cupti() {
    CuptiState state;
    const int built = major_of(CUPTI_API_VERSION);
    const std::string own = fmt::format("libcupti.so.{}", built);
    // An older or newer one is opened only to say so.
    const DynamicLibrary library =
        DynamicLibrary::open({{own, "libcupti.so", built == 13 ? "libcupti.so.12" : "libcupti.so.13"},
                              cuda_library_folders(),
                              false});
    const std::string install = fmt::format(
        "install CUPTI {0} (package cuda-cupti-{0}-0 or pip install nvidia-cuda-cupti), or set "
        "CUDA_HOME to a toolkit {0}.x",
        built);
    if (!library.loaded()) {
        state.why_not = fmt::format("CUPTI was not found: tried {}", join(library.tried(), "; "));
        state.remedy = install;
        return state;
    }
    state.path = library.path();
    if (auto* get_version =
            reinterpret_cast<decltype(&::cuptiGetVersion)>(library.symbol("cuptiGetVersion"))) {
        get_version(&state.version);
    }
    if (major_of(state.version) != built) {
        state.why_not = fmt::format("{} is CUPTI {}, this kprof was built with CUPTI {}", library.path(),
                                    cupti_version_text(state.version), cupti_version_text(CUPTI_API_VERSION));
        state.remedy = install;
        return state;
    }
    const std::string lacking = fill(state.table, library);
    if (!lacking.empty()) {
        state.why_not = fmt::format("{} (CUPTI {}) has no {}", library.path(),
                                    cupti_version_text(state.version), lacking);
        state.remedy = install;
        return state;
    }
    state.host_library = preload_host_library(library.path());
    state.usable = true;
    return state;
}

std::string remedy_for(CUptiResult status) {
    switch (status) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return permission_remedy(look_at_host());
        case CUPTI_ERROR_HARDWARE_BUSY:
            return "another profiler holds the counters, often DCGM: sudo dcgmi profile --pause (afterwards "
                   "--resume); or end the other ncu, nsys or kprof";
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return "another tool holds CUPTI in this process: Nsight Compute, Nsight Systems, cuda-gdb, "
                   "compute-sanitizer, a framework's profiler or an injected library "
                   "(CUDA_INJECTION64_PATH); "
                   "run kprof without it";
        case CUPTI_ERROR_NOT_INITIALIZED:
            return "libnvperf_host.so, which belongs beside libcupti, was probably not found: add its folder "
                   "to "
                   "LD_LIBRARY_PATH";
        case CUPTI_ERROR_INVALID_CHIP_NAME:
            return "this CUPTI does not know the GPU: use the CUPTI of a newer CUDA toolkit";
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
            return "this is a virtual GPU: the host must enable profiling for it (vGPU parameter "
                   "enable_profiling=1)";
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
            return "counters are not available while confidential computing is on: switch it off on the host";
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
            return "this MIG slice cannot be profiled: use a slice with its own GPU instance, or the whole "
                   "GPU";
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
            return "switch SLI off";
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            return "WSL2: update the Windows driver, and allow GPU performance counters to all users in the "
                   "NVIDIA Control Panel";
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
            return "mining processors have no counters: use another GPU";
        case CUPTI_ERROR_OUT_OF_MEMORY:
            return "free memory on GPU and host, or take a smaller --shape";
        default:
            return "kprof doctor checks what profiling needs; NVLOG_CONFIG_FILE turns on CUPTI's own log";
    }
}

}  // namespace

const CuptiState& cupti_state() {
    static const CuptiState state = open_cupti();
    return state;
}

const CuptiApi& cupti() {
    const CuptiState& state = cupti_state();
    if (!state.usable) throw environment_error(state.why_not, state.remedy);
    return state.table;
}

std::string cupti_version_text(std::uint32_t version) {
    if (version >= 100000) {
        return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
    }
    // cupti_version.h lists the old numbers.
    switch (version) {
        case 19:
            return "12.0";
        case 20:
            return "12.2";
        case 21:
            return "12.3";
        case 22:
            return "12.4";
        case 23:
            return "12.5";
        case 24:
            return "12.6";
        case 26:
            return "12.8";
        case 27:
            return "12.9";
        case 28:
            return "12.9.1";
        default:
            return fmt::format("API {}", version);
    }
}

bool CuptiError::refuses_all() const noexcept {
    switch (status_) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_HARDWARE_BUSY:
        case CUPTI_ERROR_HARDWARE:
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        case CUPTI_ERROR_NOT_INITIALIZED:
        case CUPTI_ERROR_INVALID_CONTEXT:
        case CUPTI_ERROR_INVALID_DEVICE:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
            return true;
        default:
            return false;
    }
}

void check(CUptiResult result, const char* call) {
    if (result == CUPTI_SUCCESS) return;
    const char* name = nullptr;
    const CuptiApi& api = cupti_state().table;
    if (api.get_result_string != nullptr) api.get_result_string(result, &name);
    throw CuptiError(result,
                     fmt::format("{} failed: {} ({})", call, name == nullptr ? "CUPTI error" : name,
                                 static_cast<int>(result)),
                     remedy_for(result));
}

}  // namespace kprof
