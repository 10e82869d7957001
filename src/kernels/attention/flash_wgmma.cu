// Flash attention with Hopper's copy engine (TMA) and tensor cores (WGMMA), which are what bounds it. What
// was slower on an H200: two warpgroups with more registers that overlap a product with the weights of the
// tile before (6 %), persistent blocks (2 to 5 %), leaving out the rescaling of O where no larger score has
// turned up (12 %).
#include "kernels/support/attention_wgmma.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_wgmma.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    launch_flash_wgmma<false>(call);
}
#endif

static Variant variant() {
    Variant v = attention_variant();
    v.name = "flash-wgmma";
    v.title = "tiled, online softmax, TMA and WGMMA, warp-specialised (sm_90a)";
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
