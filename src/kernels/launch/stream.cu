// 480 steps as 480 kernels, launched one after the other: each works for about a microsecond, but the host
// takes two or more to launch it, and the GPU waits between them.
#include <algorithm>

#include "kernels/support/launch_family.hpp"

namespace kprof {

#ifdef KPROF_WITH_CUDA
static std::int64_t sampled(const Call& call) {
    return std::min<std::int64_t>(call.extent[launch_steps], launch_sampled);
}
#endif

static Variant variant() {
    Variant v = launch_variant();
    v.name = "stream";
    v.title = "many small kernels, launched one by one";
    v.expected = "launch_overhead";
    v.twin = "graph";
    v.rung = 1;
    v.is_default = true;
#ifdef KPROF_WITH_CUDA
    v.launch = [](const Call& call) { launch_steps_on(nullptr, call, call.extent[launch_steps]); };
    v.launches = [](const Call& call) { return static_cast<int>(call.extent[launch_steps]); };
    v.launch_sample = [](const Call& call) { launch_steps_on(nullptr, call, sampled(call)); };
    v.sample_launches = [](const Call& call) { return static_cast<int>(sampled(call)); };
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
