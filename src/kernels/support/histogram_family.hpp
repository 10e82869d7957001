// What the variants of histogram share: how many of n uniformly random 32-bit keys have each of the 256
// values of the top byte. Counts are exact.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

enum HistogramBuffer { histogram_keys, histogram_counts };

constexpr int histogram_bins = 256, histogram_shift = 24;
constexpr int histogram_threads = 256;  // one a bin, where bins are cleared or written
constexpr std::int64_t histogram_chunk = std::int64_t{1} << 15;  // keys of a block

// Everything but name, title, label and launch. Buffers: keys, counts. Two launches: counts are cleared
// first.
Variant histogram_variant();

Geometry histogram_geometry(const Call& call, std::int64_t smem);

#ifdef KPROF_WITH_CUDA
void clear_counts(const Call& call);
void histogram_prepare(const Call& call);
void histogram_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
