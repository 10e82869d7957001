#ifdef KPROF_WITH_CUDA
#include "kernels/support/output_buffer.hpp"

#include <algorithm>
#include <array>

namespace kprof {
namespace {

constexpr std::size_t guard_bytes = 256;

}  // namespace

OutputBuffer::OutputBuffer(std::size_t bytes, const char* what)
    : bytes_(bytes), buffer_(bytes + guard_bytes, what) {}

void OutputBuffer::poison() const {
    buffer_.fill(0xFF);
}

bool OutputBuffer::guard_intact() const {
    std::array<unsigned char, guard_bytes> guard{};
    buffer_.download(guard.data(), guard_bytes, bytes_);
    return std::all_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte == 0xFF; });
}

Verification wrote_past_the_end() {
    Verification result;
    result.status = "wrong";
    result.detail = "the kernel wrote past the end of its output";
    return result;
}

}  // namespace kprof
#endif
