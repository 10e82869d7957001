// Where things stand in JSON source text. Used only when an error is raised, so that reading pays nothing for
// it. The text has been parsed before, or was valid up to the place asked for; anything else ends the search.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kprof {

struct TextPlace {
    std::size_t line = 1, column = 1;  // both count from 1; columns are bytes
};
TextPlace place_of(std::string_view text, std::size_t offset);

// Offset of the key (of a member) or the value (of an element) that the JSON pointer names; when it leads
// nowhere, of the deepest part that exists.
std::size_t locate_pointer(std::string_view text, const std::string& pointer);
// Offset of the `n`-th key (from 0) of the whole text, in reading order.
std::size_t locate_key(std::string_view text, std::size_t n);

// One step of a JSON pointer, escaped and unescaped (RFC 6901).
std::string escape_step(const std::string& key);
std::vector<std::string> pointer_steps(const std::string& pointer);
// For people: "/ceilings/0/value" -> "ceilings[0].value".
std::string field_name(const std::string& pointer);

}  // namespace kprof
