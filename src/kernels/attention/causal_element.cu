// A causal mask as people first write it: every tile of scores is computed, then each element is compared
// with the diagonal. Half of the products are thrown away, and nothing but their number gives it away: the
// tensor cores are as busy as in flash, for half of the result.
#include "kernels/support/attention_flash.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_flash.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    launch_flash<AttentionMask::per_element>(call);
}
#endif

static Variant variant() {
    Variant v = causal_attention_variant();
    v.name = "causal-element";
    v.title = "causal mask compared element by element, all tiles computed";
    v.expected = "tensor_starved";
    v.twin = "causal-tile";
    v.rung = 2;
    v.geometry = flash_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
