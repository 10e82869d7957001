#include "diagnosis/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/format.hpp"

namespace kprof {

namespace {

const char* const field_specs = "x, %, g, 0, 1, 2, 3";

constexpr double unreadable = 1e6;

bool known_spec(const std::string& spec) {
    return spec.empty() || spec == "x" || spec == "%" || spec == "g" ||
           (spec.size() == 1 && spec[0] >= '0' && spec[0] <= '3');
}

std::string share_text(double share) {
    const double percent = 100 * share;
    if (std::abs(percent) >= unreadable) return fmt::format("{:.3g} %", percent);
    return fmt::format("{:.{}f} %", percent, percent < 10 ? 1 : 0);
}

}  // namespace

std::string format_times(double factor) {
    if (factor >= unreadable || (factor > 0 && factor < 0.05)) return fmt::format("{:.2g}×", factor);
    if (factor < 9.95) return fmt::format("{:.1f}×", factor);
    return fmt::format("{:.0f}×", factor);
}

std::optional<std::string> format_field(const Values& v, const std::string& name, const std::string& spec) {
    if (const std::string* text = v.text(name)) return *text;
    const std::optional<double> value = v.number(name);
    if (!value) return std::nullopt;
    if (spec.empty()) return format_value(*value, v.unit(name));
    if (spec == "x") return format_times(*value);
    if (spec == "%") return share_text(*value);
    if (spec == "g") return fmt::format("{:.3g}", *value);
    // Three hundred digits say less than an exponent.
    if (std::abs(*value) >= unreadable) return fmt::format("{:.3g}", *value);
    return fmt::format("{:.{}f}", *value, spec[0] - '0');
}

Text::Variant Text::compile(const JsonCursor& c, const std::string& pattern) {
    Variant out;
    out.pattern = pattern;
    std::string literal;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char ch = pattern[i];
        const bool doubled = i + 1 < pattern.size() && pattern[i + 1] == ch;
        if ((ch == '{' || ch == '}') && doubled) {
            literal += ch;
            ++i;
            continue;
        }
        if (ch == '}') c.fail("a '}' without its '{' in the text", "write '}}' for a brace");
        if (ch != '{') {
            literal += ch;
            continue;
        }
        const std::size_t end = pattern.find('}', i);
        if (end == std::string::npos) c.fail("a '{' without its '}' in the text", "write '{{' for a brace");
        const std::string inside = pattern.substr(i + 1, end - i - 1);
        const std::size_t colon = inside.find(':');
        Piece field{{},
                    inside.substr(0, colon),
                    colon == std::string::npos ? std::string() : inside.substr(colon + 1)};
        if (field.field.empty()) c.fail("an empty field {} in the text", "name a metric or a fact");
        if (!known_spec(field.spec)) {
            c.fail("field {" + inside + "} has an unknown format",
                   std::string("the formats are: ") + field_specs);
        }
        if (!literal.empty()) out.pieces.push_back(Piece{std::exchange(literal, {}), {}, {}});
        out.pieces.push_back(std::move(field));
        i = end;
    }
    if (!literal.empty()) out.pieces.push_back(Piece{std::move(literal), {}, {}});
    return out;
}

Text Text::read(const JsonCursor& c) {
    Text out;
    const auto add = [&out](const JsonCursor& item) {
        if (item.raw().is_object()) {
            item.only({"if", "text"});
            Variant v = compile(item, item.at("text").string());
            v.when = read_formula(item.at("if"));
            out.variants_.push_back(std::move(v));
        } else {
            out.variants_.push_back(compile(item, item.string()));
        }
    };
    if (c.raw().is_array()) {
        for (const JsonCursor& item : c.items()) add(item);
    } else {
        add(c);
    }
    return out;
}

std::string Text::render(const Values& v) const {
    for (const Variant& variant : variants_) {
        if (variant.when) {
            const std::optional<double> holds = v.evaluate(*variant.when);
            if (!holds || *holds == 0) continue;
        }
        std::string out;
        bool whole = true;
        for (const Piece& piece : variant.pieces) {
            if (piece.field.empty()) {
                out += piece.literal;
                continue;
            }
            const std::optional<std::string> field = format_field(v, piece.field, piece.spec);
            if (!field) {
                whole = false;
                break;
            }
            out += *field;
        }
        if (whole) return out;
    }
    return {};
}

std::vector<std::string> Text::names() const {
    std::vector<std::string> out;
    for (const Variant& variant : variants_) {
        if (variant.when) {
            out.insert(out.end(), variant.when->names().begin(), variant.when->names().end());
        }
        for (const Piece& piece : variant.pieces) {
            if (!piece.field.empty()) out.push_back(piece.field);
        }
    }
    return out;
}

std::string Text::pattern() const {
    std::string all;
    for (const auto& v : variants_) all += (all.empty() ? "" : "\n") + v.pattern;
    return all;
}

Formula read_formula(const JsonCursor& c) {
    const std::string text = c.string();
    try {
        return Formula(text, c.path());
    } catch (const Error& e) {
        c.fail(e.what(), e.hint());
    }
}

std::vector<Formula> read_formulas(const JsonCursor& c) {
    std::vector<Formula> out;
    if (c.raw().is_array()) {
        for (const JsonCursor& item : c.items()) out.push_back(read_formula(item));
    } else {
        out.push_back(read_formula(c));
    }
    if (out.empty()) c.fail("no formula", "give at least one");
    return out;
}

}  // namespace kprof
