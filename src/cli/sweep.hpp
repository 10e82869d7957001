// --sweep: the shapes that a range stands for.
#pragma once

#include <string>
#include <vector>

#include "core/shape.hpp"

namespace kprof::cli {

// "1024:16384:x2" (every extent: 1024, 2048 ... 16384), "1000:5000:+1000" (steps), "1024:4096" (x2), or by
// name with every extent given: "m=1,n=1024:8192:x2,k=1024:8192:x2"; extents with ranges move together and
// have equally many sizes. At most 64 sizes. Throws Error(usage) that quotes the text and shows the forms.
std::vector<Shape> parse_sweep(const std::string& text, const std::vector<std::string>& names);

}  // namespace kprof::cli
