#include "metrics/formula.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/error.hpp"

namespace kprof {
namespace {

using Values = std::map<std::string, double>;

Formula::Result evaluate(const std::string& text, const Values& values = {}) {
    return Formula(text, "test").evaluate([&](const std::string& name) -> std::optional<double> {
        const auto it = values.find(name);
        return it == values.end() ? std::nullopt : std::optional<double>(it->second);
    });
}

double value(const std::string& text, const Values& values = {}) {
    const auto result = evaluate(text, values);
    EXPECT_TRUE(result.value) << text;
    return result.value.value_or(-12345);
}

std::string error_of(const std::string& text) {
    try {
        const Formula formula(text, "metric x");
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::usage);
        EXPECT_FALSE(e.hint().empty());
        return e.what();
    }
    return "";
}

TEST(Formula, Arithmetic) {
    EXPECT_DOUBLE_EQ(value("1 + 2 * 3 - 8 / 4"), 5);
    EXPECT_DOUBLE_EQ(value("2 ^ 10"), 1024);
    EXPECT_DOUBLE_EQ(value("-3 + 1"), -2);
    EXPECT_DOUBLE_EQ(value("1e-9 * 5e9"), 5);
    EXPECT_DOUBLE_EQ(value(".5 + 0.25"), 0.75);
    EXPECT_DOUBLE_EQ(value("min(3, 1, 2) + max(3, 7)"), 8);
    EXPECT_DOUBLE_EQ(value("abs(-4) + sqrt(9) + log2(8)"), 10);
}

TEST(Formula, ComparisonsAndLogic) {
    EXPECT_EQ(value("1 < 2 && 3 >= 3"), 1);
    EXPECT_EQ(value("1 == 2 || 2 != 2"), 0);
    EXPECT_EQ(value("!0"), 1);
    EXPECT_EQ(value("!(2 > 1)"), 0);
    EXPECT_EQ(value("!x", {{"x", 5}}), 0);
    EXPECT_EQ(value("1 != 2"), 1);
    EXPECT_EQ(value("x > 2 ? 10 : 20", {{"x", 3}}), 10);
    EXPECT_EQ(value("x > 2 ? 10 : 20", {{"x", 1}}), 20);
}

TEST(Formula, NamesWithDotsAndUnderscores) {
    const Formula f("dram__bytes_read.sum + 2 * dram__bytes_write.sum / _x1 + dram__bytes_read.sum", "");
    EXPECT_EQ(f.names(), (std::vector<std::string>{"_x1", "dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_DOUBLE_EQ(
        value("a__b.avg.pct_of_peak_sustained_elapsed / 4", {{"a__b.avg.pct_of_peak_sustained_elapsed", 8}}),
        2);
    EXPECT_EQ(Formula("3 + 4", "").names().size(), 0U);
}

TEST(Formula, MissingIsNotZero) {
    const auto result = evaluate("a + b * c", {{"b", 2}});
    EXPECT_FALSE(result.value);
    EXPECT_FALSE(result.not_finite);
    EXPECT_EQ(result.missing, (std::vector<std::string>{"a", "c"}));
    // The simple rule: also a branch that is not taken needs its inputs.
    EXPECT_FALSE(evaluate("1 ? 5 : a").value);
    EXPECT_FALSE(evaluate("1 || a").value);
}

TEST(Formula, NoInfinityAndNoNan) {
    for (const char* text : {"1 / x", "x / x", "-1 / x", "sqrt(x - 1)", "log2(x)"}) {
        const auto result = evaluate(text, {{"x", 0}});
        EXPECT_FALSE(result.value) << text;
        EXPECT_TRUE(result.not_finite) << text;
        EXPECT_TRUE(result.missing.empty()) << text;
    }
    EXPECT_DOUBLE_EQ(value("x > 0 ? 1 / x : 0", {{"x", 0}}), 0);
}

TEST(Formula, CanBeEvaluatedAgainAndMoved) {
    Formula f("a / b", "");
    double a = 6;
    const auto lookup = [&](const std::string& name) { return std::optional<double>(name == "a" ? a : 3); };
    EXPECT_DOUBLE_EQ(*f.evaluate(lookup).value, 2);
    a = 9;
    EXPECT_DOUBLE_EQ(*f.evaluate(lookup).value, 3);
    Formula moved = std::move(f);
    a = 12;
    EXPECT_DOUBLE_EQ(*moved.evaluate(lookup).value, 4);
    Formula other("a + b", "");
    other = std::move(moved);
    EXPECT_DOUBLE_EQ(*other.evaluate(lookup).value, 4);
    EXPECT_EQ(other.text(), "a / b");
}

TEST(Formula, FaultsNameThePlace) {
    EXPECT_NE(error_of("1 + * 2").find("at character 5"), std::string::npos) << error_of("1 + * 2");
    EXPECT_NE(error_of("1 + * 2").find("metric x"), std::string::npos);
    EXPECT_NE(error_of("1 + * 2").find("'1 + * 2'"), std::string::npos);
    for (const char* text : {"", "  ", "a +", "(a", "a b", "a ? 1", "min()", "sqrt(1, 2)", "foo(1)", "a # b",
                             "1..2", "\"text\"", "a, b"}) {
        EXPECT_NE(error_of(text), "") << text;
    }
}

TEST(Formula, NothingIsAssigned) {
    EXPECT_NE(error_of("a = 3").find("=="), std::string::npos);
    EXPECT_NE(error_of("a == 3 && (b = 2)").find("at character 14"), std::string::npos);
    EXPECT_EQ(error_of("a == 3 && b <= 2 && c >= 1 && d != 0"), "");
}

TEST(Formula, OnlyTheListedFunctionsExist) {
    for (const char* text : {"sin(1)", "exp(1)", "rint(2)", "sum(1, 2)"})
        EXPECT_NE(error_of(text), "") << text;
    // Neither does muParser's constant: it is a name like any other, and missing.
    EXPECT_EQ(evaluate("_pi").missing, std::vector<std::string>{"_pi"});
}

}  // namespace
}  // namespace kprof
