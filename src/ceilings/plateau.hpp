// The level of a bandwidth curve over working-set sizes that belongs to one cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/machine.hpp"

namespace kprof {

// Points of one plateau are at most this far from each other: larger steps lie between levels.
inline constexpr double plateau_tolerance = 0.06;

// The plateau of `access` among sizes of at least `from` and at most `to` bytes per SM: the highest run of at
// least two neighbouring sizes that agree within plateau_tolerance; of it the point of median bandwidth. Sets
// may come in any order. Empty where no two neighbours agree: a curve without a plateau names no roof.
std::optional<WorkingSet> plateau(const std::vector<WorkingSet>& sets, const std::string& access,
                                  std::int64_t from, std::int64_t to);

// The range of sizes per SM in which a curve belongs to L1 or to L2. A set that only just fits is evicted by
// other traffic, and NVIDIA's L2 is two halves that keep copies of each other's lines: half of either counts.
struct SizeRange {
    std::int64_t from = 0, to = 0;
};
SizeRange l1_range(std::int64_t l1_bytes_per_sm);
SizeRange l2_range(std::int64_t l2_bytes, int sm_count);

}  // namespace kprof
