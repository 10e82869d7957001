// A stream kernel (copy, add) made ready to run. Only in a build with CUDA.
#pragma once

#include "core/shape.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/device_workload.hpp"
#include "kernels/support/output_buffer.hpp"
#include "kernels/support/stream_family.hpp"

namespace kprof {

class StreamWorkload : public DeviceWorkload {
  public:
    // Allocates and fills the arrays. Error(usage) when they do not fit into the memory that is free.
    StreamWorkload(const StreamVariant& variant, const Shape& shape, DType dtype);
    void reset() override;
    void launch() override;
    Verification verify() override;
    void* output() override { return out_.data(); }

  private:
    StreamVariant variant_;
    DeviceBuffer a_, b_;
    OutputBuffer out_;
    StreamCall call_;
};

}  // namespace kprof
