// CUPTI made ready for one device: subscribed, initialised, checked for support and permission, chip known.
// Made once per device and kept; takes about half a second, most of it the availability image.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collect/cuda/cupti_host.hpp"
#include "collect/cuda/driver.hpp"
#include "collect/cuda/launch_facts.hpp"

namespace kprof {

class CuptiTarget {
  public:
    // Throws Error(environment) with the remedy when counters cannot be collected on this device.
    CuptiTarget(const PrimaryContext& context, int ordinal);

    LaunchCapture& launches() { return launches_; }
    CuptiHost& host() { return *host_; }

  private:
    LaunchCapture launches_;  // first: CUPTI's subscriber must be there before the profiler
    std::unique_ptr<CuptiHost> host_;
};

// What cuptiProfilerDeviceSupported says of each feature that forbids profiling: "virtual GPU: profiling is
// disabled". Empty: supported. Needs an initialised driver, and cuptiProfilerInitialize.
std::vector<std::string> unsupported_features(CUdevice device);

// cuptiProfilerInitialize; may be called again. Throws CuptiError.
void initialize_profiler();

// "GH100". Needs an initialised driver.
std::string chip_name(int ordinal);

}  // namespace kprof
