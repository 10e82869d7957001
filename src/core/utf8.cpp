// UTF-8 text: columns, cutting, wrapping, and making foreign bytes safe.
#include <algorithm>
#include <array>
#include <cstdint>
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

// Where the first `width` columns end.
std::size_t bytes_of_columns(std::string_view text, std::size_t width) {
    std::size_t at = 0;
    for (std::size_t column = 0; column < width && at < text.size(); ++column) at += decode(text, at).bytes;
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
    for (std::size_t at = 0; at < utf8.size(); at += decode(utf8, at).bytes) ++columns;
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
        for (; wide > limit; wide -= limit) {
            const std::size_t cut = bytes_of_columns(word, limit);
            lines.emplace_back(word.substr(0, cut));
            word.remove_prefix(cut);
        }
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
