// What a launch costs: a kernel that does nothing, and one that holds the stream while others queue behind
// it.
#include "ceilings/cuda/loops.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof::loops {
namespace {

__global__ void empty_kernel() {}

__global__ void spin_kernel(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

}  // namespace

void empty(void* stream) {
    empty_kernel<<<1, 32, 0, static_cast<cudaStream_t>(stream)>>>();
    check_launch("empty_kernel");
}

void spin(std::int64_t cycles, void* stream) {
    spin_kernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(cycles);
    check_launch("spin_kernel");
}

}  // namespace kprof::loops
