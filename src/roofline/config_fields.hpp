// Checks that several readers of roofline configs share.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/json.hpp"

namespace kprof::fields {

inline double positive(const JsonCursor& c) {
    const double v = c.number();
    if (!std::isfinite(v) || v <= 0) c.fail("must be a number above 0");
    return v;
}

inline std::int64_t positive_integer(const JsonCursor& c) {
    const std::int64_t v = c.integer();
    if (v <= 0) c.fail("must be a whole number above 0");
    return v;
}

inline int positive_int(const JsonCursor& c) {
    const std::int64_t v = positive_integer(c);
    if (v > std::numeric_limits<int>::max()) c.fail("is too large");
    return static_cast<int>(v);
}

inline std::string filled(const JsonCursor& c) {
    std::string s = c.string();
    if (s.empty()) c.fail("must not be empty");
    return s;
}

// V: verified; S: from a secondary source only; U: unverified.
inline std::string mark(const JsonCursor& c) {
    const std::string s = c.string();
    if (s != "V" && s != "S" && s != "U") {
        c.fail("must be \"V\" (verified), \"S\" (secondary source only) or \"U\" (unverified)");
    }
    return s;
}

}  // namespace kprof::fields
