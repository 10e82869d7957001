// Loads that tell the caches what they will not need. On AMD: the compiler's non-temporal accesses.
#pragma once

#include "kernels/support/device.cuh"

namespace kprof {

#if defined(__HIP__)
using Vector16 = float __attribute__((ext_vector_type(4)));
#endif

// Data that is read once: L1 keeps none of it.
__device__ inline float4 load_once(const float4* from) {
#if defined(__HIP__)
    const Vector16 v = __builtin_nontemporal_load(reinterpret_cast<const Vector16*>(from));
    return make_float4(v.x, v.y, v.z, v.w);
#else
    float4 v;
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(from));
    return v;
#endif
}

// From L2, past L1.
__device__ inline float4 load_from_l2(const float4* from) {
#if defined(__HIP__)
    return *from;
#else
    return __ldcg(from);
#endif
}

}  // namespace kprof
