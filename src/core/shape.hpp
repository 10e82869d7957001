// A problem size: named extents in a kernel's own order, for example m, n, k of a matrix product.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kprof {

struct Shape {
    std::vector<std::pair<std::string, std::int64_t>> extents;

    std::int64_t at(const std::string& name) const;  // throws std::out_of_range on an unknown name
    bool operator==(const Shape&) const = default;
};

// Accepts "4096" (every extent), "4096x1024x8192" (in order), "m=64,n=128,k=256" (by name, any order, all
// given). Extents are 1 ... 2^31-1. Throws Error(usage) that quotes the text and shows the forms.
Shape parse_shape(const std::string& text, const std::vector<std::string>& names);

// "4096x4096x4096"; a shape with one extent prints as that number.
std::string to_string(const Shape& s);

}  // namespace kprof
