// UTF-8 text: columns, cutting, wrapping, and making foreign bytes safe.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "core/strings.hpp"

namespace kprof {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

// The code point at `at`; one invalid byte at a time, so that the rest of a damaged name survives.
CodePoint decode(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t first = byte(at);
    if (first < 0x80U) return {first, 1, true};
    std::size_t length = 0;
    std::uint32_t value = 0, least = 0;
    if ((first & 0xE0U) == 0xC0U) {
        length = 2, value = first & 0x1FU, least = 0x80U;
    } else if ((first & 0xF0U) == 0xE0U) {
        length = 3, value = first & 0x0FU, least = 0x800U;
    } else if ((first & 0xF8U) == 0xF0U) {
        length = 4, value = first & 0x07U, least = 0x10000U;
    } else {
        return {};
    }
    if (at + length > text.size()) return {};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80U) return {};
        value = (value << 6U) | (byte(at + i) & 0x3FU);
    }
    const bool surrogate = value >= 0xD800U && value <= 0xDFFFU;
    if (value < least || value > 0x10FFFFU || surrogate) return {};
    return {value, length, true};
}

// Characters that a terminal obeys instead of showing: C0, DEL, C1, and the marks that reverse text.
bool is_control(std::uint32_t c) {
    return c < 0x20U || (c >= 0x7FU && c <= 0x9FU) || (c >= 0x202AU && c <= 0x202EU) ||
           (c >= 0x2066U && c <= 0x2069U);
}

using Range = std::pair<std::uint32_t, std::uint32_t>;

// Characters that take no column of their own (combining marks, joiners, variation selectors) and that take
// two (East Asian Width W and F of UAX #11, emoji): the blocks that matter, in ascending order. Not
// wcwidth(): it depends on the locale.
constexpr std::array<Range, 23> no_column{
    {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},   {0x64B, 0x65F},
     {0x6D6, 0x6DC},   {0x900, 0x902},   {0x93C, 0x93C},   {0x941, 0x948},   {0xE31, 0xE31},
     {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x1160, 0x11FF}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
     {0x200B, 0x200F}, {0x2028, 0x2029}, {0x2060, 0x2064}, {0x20D0, 0x20FF}, {0x3099, 0x309A},
     {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}}};
constexpr std::array<Range, 31> two_columns{
    {{0x1100, 0x115F},  {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC},   {0x23F0, 0x23F3},
     {0x25FD, 0x25FE},  {0x2614, 0x2615}, {0x2648, 0x2653}, {0x26A1, 0x26A1},   {0x26AA, 0x26AB},
     {0x26BD, 0x26BE},  {0x26D4, 0x26D4}, {0x2705, 0x2705}, {0x270A, 0x270B},   {0x274C, 0x274E},
     {0x2753, 0x2757},  {0x2795, 0x2797}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B55},   {0x2E80, 0x303E},
     {0x3041, 0xA4CF},  {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},   {0xFE10, 0xFE19},
     {0xFE30, 0xFE6F},  {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x17000, 0x1B2FF}, {0x1F300, 0x1FAFF},
     {0x20000, 0x3FFFD}}};

template <typename Ranges>
bool is_in(const Ranges& ranges, std::uint32_t c) {
    const auto* const after = std::upper_bound(ranges.begin(), ranges.end(), c,
                                               [](std::uint32_t v, const Range& r) { return v < r.first; });
    return after != ranges.begin() && c <= std::prev(after)->second;
}

std::size_t columns_of(const CodePoint& c) {
    if (!c.valid || c.value < 0x300U) return 1;
    if (is_in(no_column, c.value)) return 0;
    return is_in(two_columns, c.value) ? 2 : 1;
}

// Where the characters end that fit into `width` columns, with the marks that belong to the last.
std::size_t bytes_of_columns(std::string_view text, std::size_t width) {
    std::size_t at = 0, used = 0;
    while (at < text.size()) {
        const CodePoint c = decode(text, at);
        used += columns_of(c);
        if (used > width) break;
        at += c.bytes;
    }
    return at;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 58> ascii_table{{
    {"×", "x"},
    {"·", "|"},
    {"–", "-"},
    {"—", "-"},
    {"−", "-"},
    {"≥", ">="},
    {"≤", "<="},
    {"≠", "!="},
    {"≈", "~"},
    {"±", "+-"},
    {"µ", "u"},
    {"μ", "u"},
    {"✓", "+"},
    {"✗", "x"},
    {"…", "..."},
    {"→", "->"},
    {"←", "<-"},
    {"▶", ">"},
    {"•", "*"},
    {"●", "*"},
    {"○", "o"},
    {"◆", "#"},
    {"■", "#"},
    {"▲", "^"},
    {"█", "#"},
    {"▌", "#"},
    {"░", "."},
    {"▒", ":"},
    {"▓", "#"},
    {"─", "-"},
    {"━", "-"},
    {"═", "="},
    {"│", "|"},
    {"┃", "|"},
    {"┌", "+"},
    {"┐", "+"},
    {"└", "+"},
    {"┘", "+"},
    {"├", "+"},
    {"┤", "+"},
    {"┬", "+"},
    {"┴", "+"},
    {"┼", "+"},
    {"╱", "/"},
    {"╲", "\\"},
    {"°", ""},
    {"²", "2"},
    {"∞", "inf"},
    {"√", "sqrt"},
    {"‘", "'"},
    {"’", "'"},
    {"“", "\""},
    {"”", "\""},
    {"\xC2\xA0", " "},
    {"\xE2\x80\xAF", " "},
    {"\xE2\x80\x89", " "},
    {"‹", "<"},
    {"›", ">"},
}};

}  // namespace

std::size_t display_width(std::string_view utf8) {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint c = decode(utf8, at);
        columns += columns_of(c);
        at += c.bytes;
    }
    return columns;
}

std::string pad_right(std::string_view utf8, std::size_t width) {
    const std::size_t used = display_width(utf8);
    return std::string(utf8) + std::string(width > used ? width - used : 0, ' ');
}

std::string pad_left(std::string_view utf8, std::size_t width) {
    const std::size_t used = display_width(utf8);
    return std::string(width > used ? width - used : 0, ' ') + std::string(utf8);
}

std::string ellipsis(std::string_view utf8, std::size_t width, bool ascii) {
    if (display_width(utf8) <= width) return std::string(utf8);
    const std::string_view mark = ascii ? "..." : "…";
    const std::size_t mark_width = ascii ? 3 : 1;
    if (width <= mark_width) return std::string(mark.substr(0, bytes_of_columns(mark, width)));
    return std::string(utf8.substr(0, bytes_of_columns(utf8, width - mark_width))) + std::string(mark);
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t width) {
    const std::size_t limit = std::max<std::size_t>(width, 1);
    std::vector<std::string> lines;
    std::string line;
    std::size_t columns = 0;
    const auto finish = [&] {
        if (!line.empty()) lines.push_back(std::exchange(line, {}));
        columns = 0;
    };
    for (const std::string& part : split(utf8, ' ')) {
        if (part.empty()) continue;
        std::string_view word = part;
        std::size_t wide = display_width(word);
        if (columns > 0 && columns + 1 + wide > limit) finish();
        // A word longer than a line (a mangled name) is cut: a line never exceeds the width.
        for (; wide > limit; wide = display_width(word)) {
            // At least one character, also where a wide one does not fit.
            const std::size_t cut = std::max(bytes_of_columns(word, limit), decode(word, 0).bytes);
            lines.emplace_back(word.substr(0, cut));
            word.remove_prefix(cut);
        }
        if (word.empty()) continue;
        if (columns > 0) line += ' ', ++columns;
        line += word;
        columns += wide;
    }
    finish();
    return lines;
}

std::string printable(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint c = decode(bytes, at);
        const bool space = c.valid && (c.value == '\t' || c.value == '\n' || c.value == '\r');
        if (space) {
            out += ' ';
        } else if (!c.valid || is_control(c.value)) {
            out += replacement;
        } else {
            out += bytes.substr(at, c.bytes);
        }
        at += c.bytes;
    }
    return out;
}

std::string to_ascii(std::string_view utf8) {
    std::string out;
    out.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint c = decode(utf8, at);
        const std::string_view bytes = utf8.substr(at, c.bytes);
        at += c.bytes;
        if (c.valid && c.value < 0x80U) {
            out += bytes;
            continue;
        }
        const auto* const row = std::find_if(ascii_table.begin(), ascii_table.end(),
                                             [&](const auto& entry) { return entry.first == bytes; });
        out += row == ascii_table.end() ? std::string_view("?") : row->second;
    }
    return out;
}

}  // namespace kprof
