// Both tasks of grid in FP64, one thread per expected value.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/grid_family.hpp"

namespace kprof {

template <typename Task>
__global__ void grid_expected(Task task, const std::int64_t* groups, std::int64_t count, std::int64_t size,
                              std::int64_t n, double* expected) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         at < count * size; at += stride) {
        const std::int64_t i = groups[at / size] * size + at % size;
        if (i < n) expected[at] = task(i);
    }
}

template <typename Task>
static void fill_expected(const ReferenceCall& call, const Task& task, std::int64_t n) {
    grid_expected<<<2048, 256>>>(task, call.groups, call.count, call.size, n, call.expected);
    check_launch("grid_expected");
}

namespace {

struct StepsTask {
    const float* in;
    double a, b;
    std::int64_t steps;
    __device__ double operator()(std::int64_t i) const {
        double x = static_cast<double>(in[i]);
        for (std::int64_t s = 0; s < steps; ++s) x = a * x + b;
        return x;
    }
};

struct ImageTask {
    const float* in;
    const float* scale;
    const float* bias;
    Images images;
    __device__ double operator()(std::int64_t i) const {
        const std::int64_t row = i / images.width;
        const double factor = static_cast<double>(scale[row / images.height % images.channels]);
        return static_cast<double>(in[i]) * factor + static_cast<double>(bias[row % images.height]);
    }
};

}  // namespace

void grid_steps_reference(const ReferenceCall& call) {
    const Call& c = call.call;
    fill_expected(call, StepsTask{c.as<const float>(grid_in), grid_map.a, grid_map.b, c.extent[grid_steps]},
                  c.extent[grid_n]);
}

void grid_image_reference(const ReferenceCall& call) {
    const Call& c = call.call;
    const Images images = images_of(c);
    fill_expected(call,
                  ImageTask{c.as<const float>(image_in), c.as<const float>(image_scale),
                            c.as<const float>(image_bias), images},
                  images.elements());
}

}  // namespace kprof
#endif
