// What a workload really launches: geometry, registers, shared memory and the kernel's name, read from the
// driver's launch calls while one run of the workload is enqueued.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collect/cuda/cupti_api.hpp"
#include "core/profile.hpp"

namespace kprof {

struct LaunchFacts {
    std::string mangled;
    std::string name;  // demangled; the mangled one where that is not possible
    Launch launch;
};

// Holds CUPTI's one subscription. Made before the profiler is initialised (CUPTI's own advice), because a
// second subscriber of the process is refused from then on; callbacks are on only during capture().
class LaunchCapture {
  public:
    LaunchCapture();  // CuptiError: another tool holds CUPTI in this process
    ~LaunchCapture();
    LaunchCapture(const LaunchCapture&) = delete;
    LaunchCapture& operator=(const LaunchCapture&) = delete;

    // Runs `launch` once and waits for it. One entry per kernel, in launch order.
    std::vector<LaunchFacts> capture(const std::function<void()>& launch);

    // One launch as the callback saw it.
    struct Seen {
        std::string mangled;
        CUfunction function = nullptr;
        Launch launch;
    };

  private:
    CUpti_SubscriberHandle subscriber_ = nullptr;
    std::vector<Seen> seen_;
};

}  // namespace kprof
