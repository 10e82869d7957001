#include "metrics/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace kprof {

namespace {

double smallest(const double* values, int count) {
    return *std::min_element(values, values + count);
}
double largest(const double* values, int count) {
    return *std::max_element(values, values + count);
}
double magnitude(double x) {
    return std::fabs(x);
}
double root(double x) {
    return std::sqrt(x);
}
double binary_logarithm(double x) {
    return std::log2(x);
}
double negation(double x) {
    return x == 0 ? 1 : 0;
}

// muParser's constants (_pi, _e) and most of its functions are left out: every name that is not listed in
// formula.hpp is a variable, so that a typo is found by the catalogue's check of names.
mu::Parser make_language() {
    mu::Parser parser;
    parser.ClearConst();
    parser.ClearFun();
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser.DefineFun("min", smallest);
    parser.DefineFun("max", largest);
    parser.DefineFun("abs", magnitude);
    parser.DefineFun("sqrt", root);
    parser.DefineFun("log2", binary_logarithm);
    parser.DefineInfixOprt("!", negation);
    return parser;
}

// Building a parser costs far more than copying one or giving it another text.
const mu::Parser& language() {
    static const mu::Parser parser = make_language();
    return parser;
}

[[noreturn]] void fail(const std::string& text, const std::string& where, const std::string& fault,
                       std::size_t position) {
    const std::string prefix = where.empty() ? "" : where + ": ";
    throw usage_error(fmt::format("{}formula '{}': {} at character {}", prefix, text, fault, position + 1),
                      "formulas know + - * / ^, comparisons, && || !, a ? b : c, min, max, abs, sqrt, log2");
}

// muParser reads a single '=' as an assignment to a variable and "a, b" as two results; neither is meant
// here.
void reject_what_is_no_value(const std::string& text, const std::string& where) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ',' && depth == 0) fail(text, where, "a comma outside of a function", i);
        if (c != '=') continue;
        const char before = i > 0 ? text[i - 1] : ' ';
        if (before == '<' || before == '>' || before == '!') continue;
        if (i + 1 == text.size() || text[i + 1] != '=') {
            fail(text, where, "a single '=' assigns; write '==' to compare", i);
        }
        ++i;
    }
}

}  // namespace

struct Formula::Impl {
    explicit Impl(const std::string& text) : parser(language()) { parser.SetExpr(text); }
    // Tells the parser where the inputs lie. Bytecode is made at the first evaluation: most formulas of a
    // catalogue are never evaluated in a run.
    void bind(const std::vector<std::string>& names) {
        if (bound) return;
        for (std::size_t i = 0; i < names.size(); ++i) parser.DefineVar(names[i], &slots[i]);
        bound = true;
    }
    mu::Parser parser;
    std::vector<double> slots;  // one for each name, in the order of names(); never resized after bind()
    bool bound = false;
};

Formula::Formula(const std::string& text, const std::string& where) : text_(text) {
    if (text.find_first_not_of(" \t\n") == std::string::npos) fail(text, where, "the text is empty", 0);
    reject_what_is_no_value(text, where);
    try {
        impl_ = std::make_unique<Impl>(text);
        for (const auto& entry : impl_->parser.GetUsedVar()) names_.push_back(entry.first);
    } catch (const mu::ParserError& e) {
        const auto position = e.GetPos();
        fail(text, where, e.GetMsg(), position < 0 ? 0 : static_cast<std::size_t>(position));
    }
    std::sort(names_.begin(), names_.end());
    impl_->slots.resize(names_.size());
}

Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

Formula::Result Formula::evaluate(
    const std::function<std::optional<double>(const std::string&)>& lookup) const {
    Result result;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto value = lookup(names_[i]);
        if (value) {
            impl_->slots[i] = *value;
        } else {
            result.missing.push_back(names_[i]);
        }
    }
    if (!result.missing.empty()) return result;
    impl_->bind(names_);
    double value = 0;
    try {
        value = impl_->parser.Eval();
    } catch (const mu::ParserError& e) {
        fail(text_, "", e.GetMsg(), 0);
    }
    if (std::isfinite(value)) {
        result.value = value;
    } else {
        result.not_finite = true;
    }
    return result;
}

}  // namespace kprof
