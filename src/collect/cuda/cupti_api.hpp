// CUPTI as a table of typed functions, and the one place where a CUptiResult becomes an Error.
#pragma once

#include <cuda.h>
// The order matters: the profiler headers need cupti_result.h.
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <string>
#include <vector>

#include "core/error.hpp"

namespace kprof {

// clang-format off
#define KPROF_CUPTI_FUNCTIONS(X)                                            \
    X(get_version, cuptiGetVersion)                                         \
    X(get_result_string, cuptiGetResultString)                              \
    X(subscribe, cuptiSubscribe)                                            \
    X(unsubscribe, cuptiUnsubscribe)                                        \
    X(enable_callback, cuptiEnableCallback)                                 \
    X(profiler_initialize, cuptiProfilerInitialize)                         \
    X(device_supported, cuptiProfilerDeviceSupported)                       \
    X(get_counter_availability, cuptiProfilerGetCounterAvailability)        \
    X(get_chip_name, cuptiDeviceGetChipName)                                \
    X(host_initialize, cuptiProfilerHostInitialize)                         \
    X(host_deinitialize, cuptiProfilerHostDeinitialize)                     \
    X(host_get_base_metrics, cuptiProfilerHostGetBaseMetrics)               \
    X(host_config_add_metrics, cuptiProfilerHostConfigAddMetrics)           \
    X(host_get_config_image_size, cuptiProfilerHostGetConfigImageSize)      \
    X(host_get_config_image, cuptiProfilerHostGetConfigImage)               \
    X(host_get_num_of_passes, cuptiProfilerHostGetNumOfPasses)              \
    X(host_evaluate, cuptiProfilerHostEvaluateToGpuValues)                  \
    X(range_enable, cuptiRangeProfilerEnable)                               \
    X(range_disable, cuptiRangeProfilerDisable)                             \
    X(range_set_config, cuptiRangeProfilerSetConfig)                        \
    X(range_start, cuptiRangeProfilerStart)                                 \
    X(range_stop, cuptiRangeProfilerStop)                                   \
    X(range_decode, cuptiRangeProfilerDecodeData)                           \
    X(range_counter_data_size, cuptiRangeProfilerGetCounterDataSize)        \
    X(range_counter_data_init, cuptiRangeProfilerCounterDataImageInitialize) \
    X(range_counter_data_info, cuptiRangeProfilerGetCounterDataInfo)
// clang-format on

struct CuptiApi {
#define KPROF_MEMBER(member, function) decltype(&::function) member = nullptr;
    KPROF_CUPTI_FUNCTIONS(KPROF_MEMBER)
#undef KPROF_MEMBER
};

// CUPTI, opened on first use; the same answer for the life of the process. Opening it needs no driver, and
// the host functions work without one. Everything that touches a device crashes unless the driver is
// initialised: use those only behind driver() (see driver.hpp).
struct CuptiState {
    CuptiApi table;
    bool usable = false;
    std::string path;
    std::string host_library;  // libnvperf_host.so as loaded; empty when it was not found
    std::uint32_t version = 0;
    std::string why_not, remedy;
};
const CuptiState& cupti_state();

// The table; throws Error(environment) when there is no CUPTI of this build's major version.
const CuptiApi& cupti();

// "13.0.1" from 130001, "12.6" from 24 (the numbering before CUDA 13).
std::string cupti_version_text(std::uint32_t version);

// A failed CUPTI call. The status is kept for callers that can go on without the counters in question.
class CuptiError : public Error {
  public:
    CuptiError(CUptiResult status, const std::string& what, const std::string& hint)
        : Error(ExitCode::environment, what, hint), status_(status) {}
    CUptiResult status() const noexcept { return status_; }
    // True when the machine refuses counters altogether (permission, another profiler, vGPU ...): trying
    // other counters is useless.
    bool refuses_all() const noexcept;

  private:
    CUptiResult status_;
};

// Throws CuptiError naming the call, the code and the remedy.
void check(CUptiResult result, const char* call);

// Zeroed parameters with the size that these headers know: CUPTI reads structSize to stay compatible.
#define KPROF_CUPTI_PARAMS(type) ::kprof::sized_params<type>(type##_STRUCT_SIZE)
template <class Params>
Params sized_params(std::size_t size) {
    Params params{};
    params.structSize = size;
    return params;
}

}  // namespace kprof
