// Device memory that frees itself, and CUDA runtime errors as kprof::Error. Only in a build with CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace kprof {

// Throws Error(environment) that names the call, the code and its meaning, unless `status` is success.
void check_cuda(cudaError_t status, const char* call);

// Bytes on the current device; frees them when it goes. When they do not fit: Error(usage) that says
// how much was needed and how much is free.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    DeviceBuffer(std::size_t bytes, const char* what);
    ~DeviceBuffer() { release(); }
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    void* data() const { return data_; }
    template <typename T>
    T* as() const {
        return static_cast<T*>(data_);
    }
    std::size_t bytes() const { return bytes_; }
    void fill(int byte) const;
    void upload(const void* host, std::size_t bytes) const;
    void download(void* host, std::size_t bytes, std::size_t from = 0) const;  // waits for the device

  private:
    void release() noexcept;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace kprof
