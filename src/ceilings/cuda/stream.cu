// DRAM: streams of 16-byte accesses over buffers that no cache holds.
#include "ceilings/cuda/loops.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof::loops {
namespace {

// A block owns a stretch of per_thread x threads vectors; neighbouring threads access neighbouring vectors.
template <Access access, int per_thread>
__global__ void stream_loop(const float4* __restrict__ a, const float4* __restrict__ b,
                            float4* __restrict__ out, float factor, unsigned* sink) {
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x * per_thread + threadIdx.x;
    float4 x[per_thread], y[per_thread];
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
        const std::int64_t at = first + static_cast<std::int64_t>(i) * blockDim.x;
        if constexpr (access != Access::write) x[i] = a[at];
        if constexpr (access == Access::triad) y[i] = b[at];
        if constexpr (access == Access::write) x[i] = make_float4(factor, factor, factor, factor);
    }
    if constexpr (access == Access::read) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < per_thread; ++i) sum += x[i].x + x[i].y + x[i].z + x[i].w;
        // Never true of finite inputs, which the compiler cannot know: the loads stay.
        if (sum == factor) *sink = 1;
    } else {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            if constexpr (access == Access::triad) {
                x[i].x += factor * y[i].x;
                x[i].y += factor * y[i].y;
                x[i].z += factor * y[i].z;
                x[i].w += factor * y[i].w;
            }
            out[first + static_cast<std::int64_t>(i) * blockDim.x] = x[i];
        }
    }
}

template <Access access, int per_thread>
void launch(int threads, const void* a, const void* b, void* out, std::int64_t vectors, unsigned* sink) {
    const auto blocks = static_cast<unsigned>(vectors / (static_cast<std::int64_t>(threads) * per_thread));
    const float factor = access == Access::read ? 1e30f : 0.75f;
    stream_loop<access, per_thread><<<blocks, threads>>>(static_cast<const float4*>(a),
                                                         static_cast<const float4*>(b),
                                                         static_cast<float4*>(out), factor, sink);
    check_launch("stream_loop");
}

template <Access access>
void launch(int per_thread, int threads, const void* a, const void* b, void* out, std::int64_t vectors,
            unsigned* sink) {
    if (per_thread == 1) return launch<access, 1>(threads, a, b, out, vectors, sink);
    if (per_thread == 4) return launch<access, 4>(threads, a, b, out, vectors, sink);
    launch<access, 8>(threads, a, b, out, vectors, sink);
}

}  // namespace

void stream(Access access, int per_thread, int threads, const void* a, const void* b, void* out,
            std::int64_t vectors, unsigned* sink) {
    switch (access) {
        case Access::read:
            return launch<Access::read>(per_thread, threads, a, b, out, vectors, sink);
        case Access::write:
            return launch<Access::write>(per_thread, threads, a, b, out, vectors, sink);
        case Access::copy:
            return launch<Access::copy>(per_thread, threads, a, b, out, vectors, sink);
        case Access::triad:
            return launch<Access::triad>(per_thread, threads, a, b, out, vectors, sink);
    }
}

int buffers_of(Access access) {
    return access == Access::triad ? 3 : access == Access::copy ? 2 : 1;
}

}  // namespace kprof::loops
