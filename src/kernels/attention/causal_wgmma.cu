// A causal mask that saves work, with Hopper's copy engine (TMA) and tensor cores (WGMMA), which are what
// bounds it: tiles beyond the diagonal are never loaded or multiplied, only those on it are compared element
// by element, and blocks with the most keys to see begin first, so that all end at about the same time.
#include "kernels/support/attention_wgmma.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_wgmma.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    launch_flash_wgmma<true>(call);
}
#endif

static Variant variant() {
    Variant v = causal_attention_variant();
    v.name = "causal-wgmma";
    v.title = "causal mask tile by tile, TMA and WGMMA, warp-specialised (sm_90a)";
    v.expected = "at_limit:tensor";
    v.rung = 5;
    v.needs = {9, 0, "TMA and WGMMA"};
    v.geometry = flash_wgmma_geometry;
#ifdef KPROF_WITH_CUDA
    v.open = open_flash_wgmma;
    v.close = close_flash_wgmma;
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
