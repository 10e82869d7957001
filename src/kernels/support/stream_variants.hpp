// What add, copy, scale and triad share. All of them are out = alpha·a + beta·b over n elements: a read or
// two and a write for hardly any arithmetic, so that only the way to memory is left to differ.
#pragma once

#include <cstdint>

#include "kernels/support/variant.hpp"

namespace kprof {

// Everything but name, title, label, geometry and launch. Buffers: a, (b,) out.
Variant add_variant();    // out = a + b
Variant copy_variant();   // out = a
Variant scale_variant();  // out = factor·a
Variant triad_variant();  // out = a + factor·b
// The triad x + factor·vx on particles of eight members, whose memory the variant lays out. Buffers: members,
// out.
Variant particle_variant();

constexpr float stream_factor = 1.7F;

// A particle: x, y, z, vx, vy, vz, mass, charge. The task needs two of them.
constexpr int particle_members = 8, member_x = 0, member_vx = 3;

constexpr std::uint32_t stream_threads = 256;

// One element a thread.
inline Geometry scalar_geometry(const Call& call) {
    return line_geometry(call.extent[0], stream_threads);
}

constexpr std::uint32_t vector_threads = 128;

// A thread for each whole vector of `bytes` of an input, and one for each of the last elements (stream.cuh).
inline Geometry vector_geometry(std::int64_t bytes) {
    const std::int64_t threads = bytes / 16 + bytes % 16 / 4;
    return line_geometry(threads > 0 ? threads : 1, vector_threads);
}

#ifdef KPROF_WITH_CUDA
void add_reference(const ReferenceCall& call);
void copy_reference(const ReferenceCall& call);
void scale_reference(const ReferenceCall& call);
void triad_reference(const ReferenceCall& call);
// Of particles as structs, and as one array a member.
void aos_reference(const ReferenceCall& call);
void soa_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
