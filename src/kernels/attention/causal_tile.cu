// A causal mask that saves work: tiles of scores beyond the diagonal are never loaded or multiplied, and only
// those that lie on it are compared element by element. What is left is what bounds flash.
#include "kernels/support/attention_flash.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_flash.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    launch_flash<AttentionMask::per_tile>(call);
}
#endif

static Variant variant() {
    Variant v = causal_attention_variant();
    v.name = "causal-tile";
    v.title = "causal mask tile by tile, those beyond the diagonal left out";
    v.expected = "tensor_starved";
    v.twin = "causal-wgmma";
    v.rung = 4;
    v.geometry = flash_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
