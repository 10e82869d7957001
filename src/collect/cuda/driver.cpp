#include "collect/cuda/driver.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "collect/cuda/dynlib.hpp"
#include "core/error.hpp"
#include "core/strings.hpp"

#define KPROF_TEXT_OF(x) #x
#define KPROF_SYMBOL(x) KPROF_TEXT_OF(x)

namespace kprof {
namespace {

// The first symbol that the driver lacks, or "". cuEventElapsedTime got a second version in CUDA 12.8 with
// the same type: an older driver has the first.
std::string fill(Driver& table, const DynamicLibrary& library) {
#define KPROF_LOAD(member, function)                                              \
    {                                                                             \
        void* address = library.symbol(KPROF_SYMBOL(function));                   \
        if (address == nullptr && std::string(#function) == "cuEventElapsedTime") \
            address = library.symbol(#function);                                  \
        if (address == nullptr) return KPROF_SYMBOL(function);                    \
        table.member = reinterpret_cast<decltype(table.member)>(address);         \
    }
    KPROF_DRIVER_FUNCTIONS(KPROF_LOAD)
#undef KPROF_LOAD
    return {};
}

std::string init_remedy(CUresult result) {
    switch (result) {
        case CUDA_ERROR_NO_DEVICE: {
            const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
            if (visible != nullptr) {
                return fmt::format("CUDA_VISIBLE_DEVICES is '{}': unset it, or name a GPU that exists",
                                   visible);
            }
            return "check that nvidia-smi lists a GPU; in a container start it with --gpus all";
        }
        case CUDA_ERROR_STUB_LIBRARY:
            return "the loader found the toolkit's stub libcuda: take .../lib64/stubs out of LD_LIBRARY_PATH";
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
            return "kernel module and libcuda differ in version: reboot after the driver update, or install "
                   "the "
                   "container's libcuda that matches";
        case CUDA_ERROR_SYSTEM_NOT_READY:
            return "start the fabric manager: sudo systemctl start nvidia-fabricmanager";
        case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
            return "this GPU does not support the forward-compatibility libcuda: take cuda-compat out of the "
                   "library path";
        default:
            return "check that nvidia-smi works, then run kprof doctor";
    }
}

DriverState open_driver() {
    DriverState state;
    const DynamicLibrary library =
        DynamicLibrary::open({{"libcuda.so.1"},
                              {"/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu", "/usr/local/nvidia/lib64"},
                              false,
                              false});
    if (!library.loaded()) {
        state.why_not = "no NVIDIA driver: libcuda.so.1 was not found";
        state.remedy =
            "install the NVIDIA driver, or start the container with --gpus all; without a GPU use --source "
            "recording or --source model\ntried " +
            join(library.tried(), "; ");
        return state;
    }
    state.path = library.path();
    const std::string lacking = fill(state.table, library);
    if (!lacking.empty()) {
        state.why_not = fmt::format("{} is too old: it has no {}", library.path(), lacking);
        state.remedy = fmt::format("update the NVIDIA driver to one for CUDA {} or later",
                                   cuda_version_text(CUDA_VERSION));
        return state;
    }
    const CUresult result = state.table.init(0);
    if (result != CUDA_SUCCESS) {
        const char* text = nullptr;
        state.table.get_error_string(result, &text);
        state.why_not = fmt::format("no usable NVIDIA GPU: cuInit returned {} ({})", static_cast<int>(result),
                                    text == nullptr ? "unknown error" : text);
        state.remedy = init_remedy(result);
        return state;
    }
    state.table.driver_get_version(&state.cuda_version);
    if (state.cuda_version / 1000 < CUDA_VERSION / 1000) {
        state.why_not = fmt::format("the NVIDIA driver supports CUDA {}, this kprof was built with CUDA {}",
                                    cuda_version_text(state.cuda_version), cuda_version_text(CUDA_VERSION));
        state.remedy = fmt::format("update the driver, or build kprof with CUDA {}",
                                   cuda_version_text(state.cuda_version));
        return state;
    }
    state.usable = true;
    return state;
}

}  // namespace

const DriverState& driver_state() {
    static const DriverState state = open_driver();
    return state;
}

const Driver& driver() {
    const DriverState& state = driver_state();
    if (!state.usable) throw environment_error(state.why_not, state.remedy);
    return state.table;
}

std::string describe(CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    const Driver& d = driver_state().table;
    if (d.get_error_name != nullptr) d.get_error_name(result, &name);
    if (d.get_error_string != nullptr) d.get_error_string(result, &text);
    return fmt::format("{} ({}): {}", name == nullptr ? "CUDA error" : name, static_cast<int>(result),
                       text == nullptr ? "unknown error" : text);
}

bool is_kernel_fault(CUresult result) {
    switch (result) {
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
            return true;
        default:
            return false;
    }
}

void check(CUresult result, const char* call) {
    if (result == CUDA_SUCCESS) return;
    std::string hint;
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        hint = "free GPU memory (nvidia-smi lists who holds it), or take a smaller --shape";
    } else if (is_kernel_fault(result)) {
        hint = "a kernel failed on the GPU; compute-sanitizer finds the place";
    }
    throw environment_error(fmt::format("{} failed: {}", call, describe(result)), hint);
}

std::string cuda_version_text(int version) {
    if (version <= 0) return {};
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

PrimaryContext::PrimaryContext(int ordinal) {
    const Driver& d = driver();
    int count = 0;
    check(d.device_get_count(&count), "cuDeviceGetCount");
    if (ordinal < 0 || ordinal >= count) {
        throw usage_error(fmt::format("there is no GPU {}: this machine has {}", ordinal, count),
                          fmt::format("--device 0 to {}", count - 1));
    }
    check(d.device_get(&device_, ordinal), "cuDeviceGet");
    check(d.primary_ctx_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
    const CUresult current = d.ctx_set_current(context_);
    if (current != CUDA_SUCCESS) {
        d.primary_ctx_release(device_);
        check(current, "cuCtxSetCurrent");
    }
}

PrimaryContext::~PrimaryContext() {
    driver_state().table.primary_ctx_release(device_);
}

}  // namespace kprof
