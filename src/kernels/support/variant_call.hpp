// A Call made from a request, and how much of the output verification looks at: arithmetic only.
#pragma once

#include <cstdint>
#include <vector>

#include "core/shape.hpp"
#include "kernels/support/variant.hpp"

namespace kprof {

// The extents in the variant's order; no pointers yet.
Call call_of(const Variant& variant, const Shape& shape, DType dtype);

// Which groups of the output are compared, and how many at a time.
struct ComparisonPlan {
    std::int64_t outputs = 0;           // elements of the output
    std::int64_t size = 1;              // elements of a group
    std::int64_t groups = 0;            // in all
    std::vector<std::int64_t> sampled;  // ascending; empty: every group
    std::int64_t groups_at_a_time = 1;  // so that the expected values fit into 128 MB
    std::int64_t compared() const {
        return sampled.empty() ? groups : static_cast<std::int64_t>(sampled.size());
    }
};

// Every group when their references together cost at most 2e11 FLOPs in FP64 (well under a second on a
// data-centre GPU); else the first and last 8 and random ones between, as many as the budget allows, at
// least 32.
ComparisonPlan plan_comparison(const Variant& variant, const Call& call);

// Device memory that a comparison needs beyond the variant's buffers.
double verification_bytes(const Variant& variant, const Call& call);

// The buffer with Role::output.
std::size_t output_index(const Variant& variant);

}  // namespace kprof
