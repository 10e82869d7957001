#include "core/json_locate.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/strings.hpp"

namespace kprof {
namespace {

// Walks over tokens. Never leaves the text and never recurses, whatever the nesting.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    }

    std::size_t at() const { return at_; }
    bool done() const { return at_ >= text_.size(); }
    char peek() const { return done() ? '\0' : text_[at_]; }
    void advance() {
        if (!done()) ++at_;
    }
    bool take(char c) {
        const bool found = !done() && peek() == c;
        if (found) ++at_;
        return found;
    }

    // Spaces and comments.
    void skip_space() {
        while (!done()) {
            const std::string_view rest = text_.substr(at_);
            if (rest.starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else if (std::string_view(" \t\r\n").find(rest[0]) != std::string_view::npos) {
                ++at_;
            } else {
                return;
            }
        }
    }

    // The raw string token, quotes included.
    std::string_view read_string() {
        const std::size_t start = at_;
        advance();
        while (!done() && peek() != '"') at_ += peek() == '\\' ? 2U : 1U;
        at_ = std::min(at_ + 1, text_.size());
        return text_.substr(start, at_ - start);
    }

    void skip_value() {
        std::size_t depth = 0;
        do {
            skip_space();
            const char c = peek();
            if (c == '"') {
                read_string();
            } else if (c == '{' || c == '[') {
                ++depth;
                advance();
            } else if (c == '}' || c == ']') {
                if (depth == 0) return;
                --depth;
                advance();
            } else if (c == ',' || c == ':') {
                if (depth == 0) return;
                advance();
            } else {
                skip_scalar();
            }
        } while (depth > 0 && !done());
    }

  private:
    void skip_scalar() {
        advance();
        at_ = std::min(text_.find_first_of(",:]}/\" \t\r\n", at_), text_.size());
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::string decoded(std::string_view token) {
    const nlohmann::json value = nlohmann::json::parse(token.begin(), token.end(), nullptr, false);
    return value.is_string() ? value.get<std::string>() : std::string();
}

// Stands behind '{': moves to the value of `key` and gives the key's offset.
std::optional<std::size_t> enter_member(Scanner& scan, const std::string& key) {
    for (;;) {
        scan.skip_space();
        if (scan.peek() != '"') return std::nullopt;
        const std::size_t start = scan.at();
        const bool found = decoded(scan.read_string()) == key;
        scan.skip_space();
        scan.take(':');
        scan.skip_space();
        if (found) return start;
        scan.skip_value();
        scan.skip_space();
        if (!scan.take(',')) return std::nullopt;
    }
}

// Stands behind '[': moves to element `index` and gives its offset.
std::optional<std::size_t> enter_element(Scanner& scan, const std::string& step) {
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (error != std::errc() || stop != step.data() + step.size()) return std::nullopt;
    for (; index > 0; --index) {
        scan.skip_value();
        scan.skip_space();
        if (!scan.take(',')) return std::nullopt;
    }
    scan.skip_space();
    if (scan.peek() == ']' || scan.done()) return std::nullopt;
    return scan.at();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

bool is_index(const std::string& step) {
    return !step.empty() && step.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

TextPlace place_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t line_start = before.find_last_of('\n');
    TextPlace place;
    place.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    place.column = 1 + before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1);
    return place;
}

std::size_t locate_pointer(std::string_view text, const std::string& pointer) {
    Scanner scan(text);
    scan.skip_space();
    std::size_t offset = scan.at();
    for (const std::string& step : pointer_steps(pointer)) {
        std::optional<std::size_t> found;
        if (scan.take('{')) {
            found = enter_member(scan, step);
        } else if (scan.take('[')) {
            found = enter_element(scan, step);
        }
        if (!found) break;
        offset = *found;
    }
    return offset;
}

std::size_t locate_key(std::string_view text, std::size_t n) {
    Scanner scan(text);
    while (!scan.done()) {
        scan.skip_space();
        if (scan.peek() != '"') {
            scan.advance();
            continue;
        }
        const std::size_t start = scan.at();
        scan.read_string();
        scan.skip_space();
        if (scan.peek() == ':' && n-- == 0) return start;
    }
    return text.size();
}

std::string escape_step(const std::string& key) {
    if (key.find_first_of("~/") == std::string::npos) return key;
    std::string step = key;
    replace_all(step, "~", "~0");
    replace_all(step, "/", "~1");
    return step;
}

std::vector<std::string> pointer_steps(const std::string& pointer) {
    std::vector<std::string> steps;
    if (pointer.empty()) return steps;
    steps = split(std::string_view(pointer).substr(1), '/');
    if (steps.empty()) steps.emplace_back();  // "/" names the member with the empty key
    for (std::string& step : steps) {
        replace_all(step, "~1", "/");
        replace_all(step, "~0", "~");
    }
    return steps;
}

std::string field_name(const std::string& pointer) {
    std::string name;
    for (const std::string& step : pointer_steps(pointer)) {
        if (is_index(step)) {
            name += "[" + step + "]";
        } else {
            name += (name.empty() ? "" : ".") + step;
        }
    }
    return printable(name);
}

}  // namespace kprof
