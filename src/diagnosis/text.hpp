// Sentences of the rules: "{dram_bytes}, minimum {min_bytes}". A text has variants; the first whose condition
// holds and whose fields all have values is used, so that a missing number never leaves a hole in a sentence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "diagnosis/values.hpp"
#include "metrics/formula.hpp"

namespace kprof {

class Text {
  public:
    Text() = default;
    // A string, or an array of strings and {"if": formula, "text": string}. Fields are {name} (formatted by
    // the unit of the value) or {name:spec} with spec: x (a factor, "41×"), % (a share of 1, "92 %"),
    // 0...3 (that many decimals), g (three significant digits). "{{" is a brace. Errors name file and line.
    static Text read(const JsonCursor& c);

    bool empty() const { return variants_.empty(); }
    // Empty when no variant can be said.
    std::string render(const Values& v) const;
    // Names that conditions and fields use.
    std::vector<std::string> names() const;
    // The first variant as written, for `kprof explain`.
    std::string pattern() const;

  private:
    struct Piece {
        std::string literal, field, spec;  // either a literal or a field
    };
    struct Variant {
        std::optional<Formula> when;
        std::string pattern;
        std::vector<Piece> pieces;
    };
    static Variant compile(const JsonCursor& c, const std::string& pattern);
    std::vector<Variant> variants_;
};

// "41×", "7.8×", "1.4×".
std::string format_times(double factor);
// One field as a text shows it; empty when the name has no value.
std::optional<std::string> format_field(const Values& v, const std::string& name, const std::string& spec);
// Reads a formula; a fault names file, line and field.
Formula read_formula(const JsonCursor& c);
// A string or an array of strings: formulas of which the first with all inputs counts.
std::vector<Formula> read_formulas(const JsonCursor& c);

}  // namespace kprof
