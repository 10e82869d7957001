#ifdef KPROF_WITH_CUDA
#include "kernels/support/device_memory.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/format.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof {
namespace {

[[noreturn]] void does_not_fit(double bytes, const std::string& what) {
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    throw usage_error(
        fmt::format("{} needs {} of device memory, {} of {} are free", what, format_bytes(bytes),
                    format_bytes(static_cast<double>(free)), format_bytes(static_cast<double>(total))),
        "choose a smaller --shape, or end what else uses this GPU (nvidia-smi)");
}

std::string remedy_for(cudaError_t status) {
    switch (status) {
        case cudaErrorInsufficientDriver:
            return "the driver is older than this build's CUDA: update the driver";
        case cudaErrorNoKernelImageForDevice:
            return "this build has no code for this GPU: rebuild with -DKPROF_CUDA_ARCHITECTURES for it";
        case cudaErrorNoDevice:
            return "kprof doctor shows what is missing";
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
            return "the kernel failed on the device: compute-sanitizer kprof run ... finds where";
        default:
            return "kprof doctor checks this machine";
    }
}

}  // namespace

void check_cuda(cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    // Takes the error off the runtime's record, so that the next call does not report it again.
    static_cast<void>(cudaGetLastError());
    throw environment_error(fmt::format("{} failed: {} ({}), {}", call, cudaGetErrorName(status),
                                        static_cast<int>(status), cudaGetErrorString(status)),
                            remedy_for(status));
}

void check_launch(const char* kernel) {
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) check_cuda(status, fmt::format("the launch of {}", kernel).c_str());
}

DeviceBuffer::DeviceBuffer(std::size_t bytes, const char* what) : bytes_(bytes) {
    const cudaError_t status = cudaMalloc(&data_, bytes);
    if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        does_not_fit(static_cast<double>(bytes), what);
    }
    check_cuda(status, "cudaMalloc");
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    if (this != &other) {
        release();
        data_ = std::exchange(other.data_, nullptr);
        bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
}

void DeviceBuffer::release() noexcept {
    // A failure here is one that an earlier call has reported; there is nobody left to tell.
    if (data_ != nullptr) static_cast<void>(cudaFree(data_));
    data_ = nullptr;
}

void DeviceBuffer::fill(int byte) const {
    check_cuda(cudaMemsetAsync(data_, byte, bytes_, nullptr), "cudaMemset");
}

void DeviceBuffer::upload(const void* host, std::size_t bytes) const {
    check_cuda(cudaMemcpy(data_, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
}

void DeviceBuffer::download(void* host, std::size_t bytes, std::size_t from) const {
    check_cuda(cudaMemcpy(host, as<const char>() + from, bytes, cudaMemcpyDeviceToHost),
               "cudaMemcpy from the device");
}

}  // namespace kprof
#endif
