// libcuda.so.1 as a table of typed functions, and the one place where a CUresult becomes an Error.
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

namespace kprof {

// X(member, function of cuda.h). The header maps names to versions (cuMemAlloc to cuMemAlloc_v2); type and
// symbol follow that mapping.
// clang-format off
#define KPROF_DRIVER_FUNCTIONS(X)                                          \
    X(init, cuInit)                                                        \
    X(driver_get_version, cuDriverGetVersion)                              \
    X(get_error_name, cuGetErrorName)                                      \
    X(get_error_string, cuGetErrorString)                                  \
    X(device_get, cuDeviceGet)                                             \
    X(device_get_count, cuDeviceGetCount)                                  \
    X(device_get_name, cuDeviceGetName)                                    \
    X(device_get_attribute, cuDeviceGetAttribute)                          \
    X(device_total_mem, cuDeviceTotalMem)                                  \
    X(device_get_pci_bus_id, cuDeviceGetPCIBusId)                          \
    X(primary_ctx_retain, cuDevicePrimaryCtxRetain)                        \
    X(primary_ctx_release, cuDevicePrimaryCtxRelease)                      \
    X(ctx_set_current, cuCtxSetCurrent)                                    \
    X(ctx_synchronize, cuCtxSynchronize)                                   \
    X(mem_get_info, cuMemGetInfo)                                          \
    X(mem_alloc, cuMemAlloc)                                               \
    X(mem_free, cuMemFree)                                                 \
    X(memset_d32_async, cuMemsetD32Async)                                  \
    X(module_load_data, cuModuleLoadData)                                  \
    X(module_unload, cuModuleUnload)                                       \
    X(module_get_function, cuModuleGetFunction)                            \
    X(launch_kernel, cuLaunchKernel)                                       \
    X(func_get_attribute, cuFuncGetAttribute)                              \
    X(kernel_get_function, cuKernelGetFunction)                            \
    X(occupancy_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor)       \
    X(event_create, cuEventCreate)                                         \
    X(event_destroy, cuEventDestroy)                                       \
    X(event_record, cuEventRecord)                                         \
    X(event_synchronize, cuEventSynchronize)                               \
    X(event_elapsed_time, cuEventElapsedTime)
// clang-format on

struct Driver {
#define KPROF_MEMBER(member, function) decltype(&::function) member = nullptr;
    KPROF_DRIVER_FUNCTIONS(KPROF_MEMBER)
#undef KPROF_MEMBER
};

// The driver, opened and initialised (cuInit) on first use; the same answer for the life of the process.
struct DriverState {
    Driver table;
    bool usable = false;
    std::string path;     // of libcuda
    std::string why_not;  // for people, when not usable
    std::string remedy;
    int cuda_version = 0;  // cuDriverGetVersion: 13000 is 13.0; 0 when unknown
};
const DriverState& driver_state();

// The table; throws Error(environment) when there is no usable driver.
const Driver& driver();

// Throws Error(environment) naming the call, the error's name and its text. Out of memory and errors left
// behind by a faulty kernel get a remedy.
void check(CUresult result, const char* call);

// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered".
std::string describe(CUresult result);

// True for errors that a kernel left behind and that make the context unusable (illegal address, assert,
// ...).
bool is_kernel_fault(CUresult result);

// "13.0" from 13000; "" from 0.
std::string cuda_version_text(int version);

// The device's primary context, the one that the CUDA runtime uses too; current on the calling thread.
class PrimaryContext {
  public:
    explicit PrimaryContext(int ordinal);
    ~PrimaryContext();
    PrimaryContext(const PrimaryContext&) = delete;
    PrimaryContext& operator=(const PrimaryContext&) = delete;

    CUdevice device() const { return device_; }
    CUcontext context() const { return context_; }

  private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

}  // namespace kprof
