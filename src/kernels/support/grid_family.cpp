#include "kernels/support/grid_family.hpp"

namespace kprof {
namespace {

constexpr std::int64_t group_size = 1024;

std::int64_t group(const Call& /*call*/) {
    return group_size;
}

std::int64_t numbers(const Call& call) {
    return call.extent[grid_n];
}

std::int64_t image_elements(const Call& call) {
    return images_of(call).elements();
}

// Blocks of 256 threads, one element each, must fit a grid.
const char* refuses_large_images(const Call& call) {
    const Images s = images_of(call);
    const double all = static_cast<double>(s.batch) * static_cast<double>(s.channels) *
                       static_cast<double>(s.height) * static_cast<double>(s.width);
    return all > 5e11 ? "images must have at most 500,000,000,000 elements in all" : nullptr;
}

Variant grid_variant() {
    Variant v;
    v.family = "grid";
    v.dtypes = {DType::fp32};
    v.group = group;
    return v;
}

}  // namespace

Geometry grid_tiles(const Call& call, std::uint32_t threads, std::int64_t per_thread) {
    return line_geometry((numbers(call) + per_thread - 1) / per_thread, threads);
}

Variant grid_steps_variant() {
    Variant v = grid_variant();
    v.extents = {"n", "steps"};
    v.buffers = {{"in", numbers}, {"out", numbers, Element::of_call, Role::output}};
    v.flops = [](const Call& c) {
        return 2 * static_cast<double>(numbers(c)) * static_cast<double>(c.extent[grid_steps]);
    };
    v.min_bytes = [](const Call& c) { return 2 * 4 * static_cast<double>(numbers(c)); };
    v.group_cost = [](const Call& c) { return 2.0 * group_size * static_cast<double>(c.extent[grid_steps]); };
#ifdef KPROF_WITH_CUDA
    v.reference = grid_steps_reference;
#endif
    return v;
}

Variant grid_image_variant() {
    Variant v = grid_variant();
    v.extents = {"batch", "channels", "height", "width"};
    v.default_shape = {16, 64, 512, 512};
    v.buffers = {{"in", image_elements},
                 {"scale", [](const Call& c) { return c.extent[image_channels]; }},
                 {"bias", [](const Call& c) { return c.extent[image_height]; }},
                 {"out", image_elements, Element::of_call, Role::output}};
    v.flops = [](const Call& c) { return 2 * static_cast<double>(image_elements(c)); };
    v.min_bytes = [](const Call& c) {
        return 4 * (2 * static_cast<double>(image_elements(c)) +
                    static_cast<double>(c.extent[image_channels] + c.extent[image_height]));
    };
    v.refuses = refuses_large_images;
#ifdef KPROF_WITH_CUDA
    v.reference = grid_image_reference;
#endif
    return v;
}

}  // namespace kprof
