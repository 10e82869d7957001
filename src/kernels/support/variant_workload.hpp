// A variant made ready to run: memory, random inputs, poisoned outputs, verification. Only in a build with
// CUDA.
#pragma once

#include <memory>
#include <vector>

#include "kernels/support/device_memory.hpp"
#include "kernels/support/device_workload.hpp"
#include "kernels/support/output_buffer.hpp"
#include "kernels/support/variant.hpp"

namespace kprof {

class VariantWorkload : public DeviceWorkload {
  public:
    // Allocates and fills the buffers. `call` holds extents and dtype. Error(usage) when they do not fit into
    // the memory that is free.
    VariantWorkload(const Variant& variant, const Call& call);
    void reset() override;
    void launch() override;
    Verification verify() override;
    int launches() const override;
    int sample_launches() const override;
    void launch_sample() override;
    void* output() override { return out_->data(); }

  private:
    void make_buffers();

    Variant variant_;
    Call call_;
    std::vector<DeviceBuffer> buffers_;
    std::unique_ptr<OutputBuffer> out_;
    std::unique_ptr<void, void (*)(void*)> context_;
};

}  // namespace kprof
