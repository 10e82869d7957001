// What the variants of gather share: rows of a table fetched by number, out[t] = table[index[t]], as an
// embedding layer does. The table lies in DRAM: it is far larger than any cache.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

struct GatherShape {
    std::int64_t rows, width, tokens;  // width: floats of a row
};
inline GatherShape gather_shape(const Call& call) {
    return {call.extent[0], call.extent[1], call.extent[2]};
}

enum GatherBuffer { gather_table, gather_index, gather_out };

// Everything but name, title, label, geometry and launch; rows in random order. The default shape looks up
// every row of a table of 1 GiB with rows of 8 bytes once.
Variant gather_variant();

constexpr std::uint32_t gather_threads = 256;

// One thread per token, whose row is one load (gather_narrow.cuh). Other widths are refused.
Geometry gather_narrow_geometry(const Call& call);
const char* gather_narrow_refuses(const Call& call);

#ifdef KPROF_WITH_CUDA
// Which rows are looked up: spread evenly over the table, in the order of the table, or shuffled. Both write
// the same row numbers.
void gather_prepare_sorted(const Call& call);
void gather_prepare_random(const Call& call);
void gather_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
