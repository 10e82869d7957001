// The maps of pipes in FP64 (or exact integers), one thread per expected value.
#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#include "kernels/support/pipes_family.hpp"

namespace kprof {

// expected = map(i) for every element i of the groups that the output has.
template <typename Map>
__global__ void pipes_expected(Map map, const std::int64_t* groups, std::int64_t count, std::int64_t size,
                               std::int64_t n, double* expected) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         at < count * size; at += stride) {
        const std::int64_t i = groups[at / size] * size + at % size;
        if (i < n) expected[at] = map(i);
    }
}

template <typename Map>
static void fill_expected(const ReferenceCall& call, const Map& map) {
    pipes_expected<<<2048, 256>>>(map, call.groups, call.count, call.size, call.call.extent[pipes_n],
                                  call.expected);
    check_launch("pipes_expected");
}

namespace {

struct MirrorMap {
    const float* x;
    double a, b;
    std::int64_t steps;
    __device__ double operator()(std::int64_t i) const {
        double value = static_cast<double>(x[i]);
        for (std::int64_t s = 0; s < steps; ++s) value = a * value + b;
        return value;
    }
};

struct TurnMap {
    const float* x;
    double cosine, sine, c_re, c_im;
    std::int64_t steps;
    __device__ double operator()(std::int64_t i) const {
        double re = static_cast<double>(x[i]), im = 0;
        for (std::int64_t s = 0; s < steps; ++s) {
            const double turned = cosine * re - sine * im + c_re;
            im = sine * re + cosine * im + c_im;
            re = turned;
        }
        return re;
    }
};

struct AngleMap {
    const float* x;
    double decay;
    std::int64_t steps;
    __device__ double operator()(std::int64_t i) const {
        double t = static_cast<double>(x[i]), sum = 0;
        for (std::int64_t s = 0; s < steps; ++s) {
            t *= decay;
            sum += sin(t) + cos(t);
        }
        return sum;
    }
};

struct CarryMap {
    std::uint64_t divisor, multiplier;
    std::int64_t steps;
    __device__ double operator()(std::int64_t i) const {
        std::uint64_t x = static_cast<std::uint64_t>(i) + 1;
        for (std::int64_t s = 0; s < steps; ++s) x = x % divisor * multiplier + x / divisor;
        return static_cast<double>(x);
    }
};

struct HalfMap {
    const fp16* x;
    double a, b;
    std::int64_t steps;
    __device__ double operator()(std::int64_t i) const {
        double value = static_cast<double>(to_float(x[i]));
        for (std::int64_t s = 0; s < steps; ++s) value = a * value + b;
        return value;
    }
};

}  // namespace

void pipes_mirror_reference(const ReferenceCall& call) {
    fill_expected(call, MirrorMap{call.call.as<const float>(pipes_x), pipes_mirror.a, pipes_mirror.b,
                                  call.call.extent[pipes_steps]});
}

void pipes_turn_reference(const ReferenceCall& call) {
    const Turn t = pipes_turn();
    fill_expected(call, TurnMap{call.call.as<const float>(pipes_x), t.cosine, t.sine, t.c_re, t.c_im,
                                call.call.extent[pipes_steps]});
}

void pipes_angle_reference(const ReferenceCall& call) {
    const std::int64_t steps = call.call.extent[pipes_steps];
    fill_expected(call, AngleMap{call.call.as<const float>(pipes_x), pipes_decay(steps), steps});
}

void pipes_carry_reference(const ReferenceCall& call) {
    fill_expected(call, CarryMap{pipes_carry.divisor, pipes_carry.multiplier, call.call.extent[pipes_steps]});
}

void pipes_half_reference(const ReferenceCall& call) {
    fill_expected(call, HalfMap{call.call.as<const fp16>(pipes_x), pipes_mirror.a, pipes_mirror.b,
                                call.call.extent[pipes_steps]});
}

}  // namespace kprof
#endif
