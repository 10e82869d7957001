// 16 elements a thread, at the same place of 16 planes: the divisions of fine are done once for all of them,
// and all of the loads are in flight together. Memory is the limit.
#include "kernels/support/grid_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;
constexpr int per_thread = 16;

// Blocks that a plane takes, and layers of blocks, each of 16 planes.
struct Blocks {
    std::int64_t of_plane, layers;
};

Blocks blocks_of(const Images& s) {
    return {(s.height * s.width + threads - 1) / threads,
            (s.batch * s.channels + per_thread - 1) / per_thread};
}

Geometry geometry(const Call& call) {
    const Blocks blocks = blocks_of(images_of(call));
    return line_geometry(blocks.of_plane * blocks.layers * threads, threads);
}

const char* refuses(const Call& call) {
    const char* why = grid_image_variant().refuses(call);
    if (why != nullptr) return why;
    const Blocks blocks = blocks_of(images_of(call));
    return blocks.of_plane * blocks.layers > 2147483647 ? "the planes are too many and too small" : nullptr;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads)
    grid_coarsened(const float* in, const float* scale, const float* bias, float* out, Images s,
                   std::int64_t blocks_of_plane) {
    const std::int64_t layer = blockIdx.x / blocks_of_plane, size = s.height * s.width;
    const std::int64_t place = (blockIdx.x - layer * blocks_of_plane) * threads + threadIdx.x;
    if (place >= size) return;
    const std::int64_t first = layer * per_thread, left = s.batch * s.channels - first;
    const int planes = left < per_thread ? static_cast<int>(left) : per_thread;
    float x[per_thread];
    in += first * size + place;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        x[k] = k < planes ? *in : 0.0F;
        in += size;
    }
    const float shift = bias[place / s.width];
    const int channels = static_cast<int>(s.channels);
    int channel = static_cast<int>(first % s.channels);
    out += first * size + place;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        if (k < planes) *out = fmaf(x[k], scale[channel], shift);
        out += size;
        channel = channel + 1 == channels ? 0 : channel + 1;
    }
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    const Images images = images_of(call);
    grid_coarsened<<<grid_of(g), block_of(g)>>>(
        call.as<const float>(image_in), call.as<const float>(image_scale), call.as<const float>(image_bias),
        call.as<float>(image_out), images, blocks_of(images).of_plane);
    check_launch("grid_coarsened");
}
#endif

static Variant variant() {
    Variant v = grid_image_variant();
    v.name = "coarsened";
    v.title = "16 elements a thread, index arithmetic once";
    v.expected = "at_limit:dram";
    v.rung = 6;
    v.geometry = geometry;
    v.refuses = refuses;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
