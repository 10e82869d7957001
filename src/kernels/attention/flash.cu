// Tiled attention with an online softmax: scores live and die in registers, and HBM sees Q, K, V and O once.
// With cp.async and mma.sync, as every chip since sm_80 has them; on Hopper those reach little more than half
// of the tensor roof, so the tensor cores wait: for ldmatrix, and for the softmax between two products.
#include "kernels/support/attention_flash.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/attention_flash.cuh"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
static void launch(const Call& call) {
    launch_flash<AttentionMask::none>(call);
}
#endif

static Variant variant() {
    Variant v = attention_variant();
    v.name = "flash";
    v.title = "tiled, online softmax, mma.sync and cp.async: no score in memory";
    v.expected = "tensor_starved";
    v.twin = "flash-wgmma";
    v.rung = 3;
    v.is_default = true;
    v.geometry = flash_geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
