// The base of the built-in workloads: besides what collection needs, the address of the output, so that a
// test can damage a result and see verification fail.
#pragma once

#include "collect/workload.hpp"

namespace kprof {

class DeviceWorkload : public Workload {
  public:
    virtual void* output() = 0;  // device memory
};

}  // namespace kprof
