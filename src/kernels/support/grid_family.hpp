// What the variants of grid share. Two tasks:
// - steps: x -> a x + b, `steps` times for each of n numbers (extents n, steps): arithmetic that any number
// of
//   blocks can share out.
// - broadcast: out = x * scale[channel] + bias[row] for images of batch x channels x height x width.
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

enum GridStepsExtent { grid_n, grid_steps };
enum GridStepsBuffer { grid_in, grid_out };

// With a = -1, which only the host knows: mirrored around b / 2, so that rounding does not add up.
struct GridMap {
    float a, b;
};
constexpr GridMap grid_map = {-1, 0.5F};

// One block per tile of threads x per_thread numbers.
Geometry grid_tiles(const Call& call, std::uint32_t threads, std::int64_t per_thread);

enum GridImageExtent { image_batch, image_channels, image_height, image_width };
enum GridImageBuffer { image_in, image_scale, image_bias, image_out };

struct Images {
    std::int64_t batch, channels, height, width;
    std::int64_t elements() const { return batch * channels * height * width; }
};
inline Images images_of(const Call& call) {
    const std::int64_t* e = call.extent;
    return {e[0], e[1], e[2], e[3]};
}

// Everything but name, title, label, geometry and launch.
Variant grid_steps_variant();
Variant grid_image_variant();

#ifdef KPROF_WITH_CUDA
// FP64. A group is 1024 elements.
void grid_steps_reference(const ReferenceCall& call);
void grid_image_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
