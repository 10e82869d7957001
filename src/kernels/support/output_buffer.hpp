// A kernel's output on the device, poisoned before each run and followed by a guard: what the kernel did not
// write is NaN, and what it wrote past its end shows. Only in a build with CUDA.
#pragma once

#include "core/profile.hpp"
#include "kernels/support/device_memory.hpp"

namespace kprof {

class OutputBuffer {
  public:
    OutputBuffer(std::size_t bytes, const char* what);
    void* data() const { return buffer_.data(); }
    // Every byte, the guard's too, becomes 0xFF: a NaN in every floating-point dtype.
    void poison() const;
    bool guard_intact() const;

  private:
    std::size_t bytes_;
    DeviceBuffer buffer_;
};

// The result of a workload that wrote past the end of its output.
Verification wrote_past_the_end();

}  // namespace kprof
