// A gemm variant made ready to run. Only in a build with CUDA.
#pragma once

#include <memory>

#include "core/shape.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/device_workload.hpp"
#include "kernels/support/gemm_call.hpp"
#include "kernels/support/gemm_family.hpp"
#include "kernels/support/output_buffer.hpp"

namespace kprof {

class GemmWorkload : public DeviceWorkload {
  public:
    // Allocates and fills the matrices. Error(usage) when they do not fit into the memory that is free.
    GemmWorkload(const GemmVariant& variant, const Shape& shape, DType dtype);
    void reset() override;
    void launch() override;
    int launches() const override;
    Verification verify() override;
    void* output() override { return c_.data(); }

  private:
    GemmVariant variant_;
    GemmCall call_;
    GemmElements elements_;
    DeviceBuffer a_, b_, bias_;
    OutputBuffer c_;
    std::unique_ptr<void, void (*)(void*)> context_;
};

}  // namespace kprof
