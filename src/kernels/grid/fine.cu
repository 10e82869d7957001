// One element a thread: finding out in which row and channel it lies takes each of them three divisions,
// which are a hundred integer instructions for one multiplication and addition. Memory waits for them.
#include "kernels/support/grid_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

constexpr int threads = 256;

Geometry geometry(const Call& call) {
    return line_geometry(images_of(call).elements(), threads);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads) grid_fine(const float* in, const float* scale, const float* bias,
                                                     float* out, Images images, std::int64_t elements) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
    if (i >= elements) return;
    const std::int64_t line = i / images.width, plane = line / images.height;
    const std::int64_t row = line - plane * images.height, channel = plane % images.channels;
    out[i] = fmaf(in[i], scale[channel], bias[row]);
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    grid_fine<<<grid_of(g), block_of(g)>>>(call.as<const float>(image_in), call.as<const float>(image_scale),
                                           call.as<const float>(image_bias), call.as<float>(image_out),
                                           images_of(call), images_of(call).elements());
    check_launch("grid_fine");
}
#endif

static Variant variant() {
    Variant v = grid_image_variant();
    v.name = "fine";
    v.title = "one element a thread, each with its own index arithmetic";
    v.expected = "integer_arithmetic";
    v.twin = "coarsened";
    v.rung = 5;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
