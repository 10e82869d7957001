// Makes the L2 cold before a measured launch: reads a buffer larger than the cache with a small kernel.
// Reading, and not writing, because lines left dirty would be written back during the measured kernel and
// count as its DRAM traffic. The buffer is allocated and the kernel compiled by the driver at first use.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace kprof {

class L2Flush {
  public:
    // Device memory that a flush of a cache of that size needs.
    static std::int64_t bytes_for(std::int64_t l2_bytes);

    L2Flush(std::int64_t l2_bytes, int sm_count);
    ~L2Flush();
    L2Flush(const L2Flush&) = delete;
    L2Flush& operator=(const L2Flush&) = delete;

    // Allocates and compiles now. Throws Error(environment).
    void make_ready();
    bool ready() const { return kernel_ != nullptr; }
    // Enqueues the reading kernel on the legacy stream.
    void run();

  private:
    void release() noexcept;

    std::int64_t bytes_;
    unsigned blocks_;
    CUdeviceptr buffer_ = 0;  // the last 256 bytes are the kernel's sink
    CUmodule module_ = nullptr;
    CUfunction kernel_ = nullptr;
};

}  // namespace kprof
