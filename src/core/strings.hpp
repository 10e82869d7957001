// Small text helpers that several folders need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kprof {

std::vector<std::string> split(std::string_view text, char separator);  // no empty last part for ""
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lower(std::string_view text);
std::string trim(std::string_view text);
bool contains(std::string_view text, std::string_view part);  // case-sensitive

// The candidates nearest to `word` (edit distance, prefix and substring first), at most `count`, best first.
// Empty when nothing is near.
std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates,
                                 std::size_t count = 3);
// "; did you mean 'naive', 'tiled'?" or "" when nothing is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

// Terminal columns that UTF-8 text takes: two of an East Asian wide character or emoji, none of a combining
// mark.
std::size_t display_width(std::string_view utf8);
std::string pad_right(std::string_view utf8, std::size_t width);
std::string pad_left(std::string_view utf8, std::size_t width);
// Cuts to `width` columns with "…" (or "..." when ascii).
std::string ellipsis(std::string_view utf8, std::size_t width, bool ascii = false);
// Breaks at spaces into lines of at most `width` columns.
std::vector<std::string> wrap(std::string_view utf8, std::size_t width);
// Replaces bytes that are not valid UTF-8 and control characters, so that foreign names are safe in JSON and
// terminals.
std::string printable(std::string_view bytes);
// Replaces the few non-ASCII characters that kprof prints (× · – ≥ ≤ ± µ ✓ ✗ …) by ASCII ones.
std::string to_ascii(std::string_view utf8);

}  // namespace kprof
