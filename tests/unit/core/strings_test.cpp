#include "core/strings.hpp"

#include <gtest/gtest.h>

namespace kprof {
namespace {

using Texts = std::vector<std::string>;

TEST(Strings, SplitsAndJoins) {
    EXPECT_EQ(split("", ','), Texts{});
    EXPECT_EQ(split("a", ','), Texts{"a"});
    EXPECT_EQ(split("a,,b,", ','), (Texts{"a", "", "b", ""}));
    EXPECT_EQ(join({}, ", "), "");
    EXPECT_EQ(join({"a"}, ", "), "a");
    EXPECT_EQ(join({"a", "", "b"}, ", "), "a, , b");
}

TEST(Strings, LowersTrimsAndFinds) {
    EXPECT_EQ(lower("GeMM µ-Ä 9"), "gemm µ-Ä 9");
    EXPECT_EQ(trim(" \t x y\r\n"), "x y");
    EXPECT_EQ(trim(" \n"), "");
    EXPECT_TRUE(contains("naive", ""));
    EXPECT_TRUE(contains("naive", "aiv"));
    EXPECT_FALSE(contains("naive", "AIV"));
}

TEST(Nearest, OnlyNamesThatAreNear) {
    const Texts names{"naive", "tiled", "wmma", "cublas", "cublas_tf32"};
    struct Row {
        const char* word;
        Texts wanted;
    };
    const std::vector<Row> rows{
        {"niave", {"naive"}},                   // swapped letters are one slip
        {"NAIVE", {"naive"}},                   // case does not count
        {"tile", {"tiled"}},                    // a prefix
        {"blas", {"cublas", "cublas_tf32"}},    // a substring, the shorter first
        {"cublas", {"cublas", "cublas_tf32"}},  // itself before what it begins
        {"wmmma", {"wmma"}},
        {"naive_v2", {"naive"}},  // the name is within the word
        {"softmax", {}},
        {"x", {}},
        {"", {}},
        {"  ", {}},
    };
    for (const Row& row : rows) EXPECT_EQ(nearest(row.word, names), row.wanted) << row.word;
}

TEST(Nearest, PrefixBeforeSubstringBeforeDistance) {
    EXPECT_EQ(nearest("copy", {"copi", "memcopy", "copy_strided"}),
              (Texts{"copy_strided", "memcopy", "copi"}));
}

TEST(Nearest, CountLimitsAndEqualNamesComeOnce) {
    EXPECT_EQ(nearest("gem", {"gemm", "gemv", "gemm", "gems", "gemx"}, 2), (Texts{"gemm", "gems"}));
    EXPECT_EQ(nearest("gem", {"gemm", "gemm"}), Texts{"gemm"});
    EXPECT_EQ(nearest("gem", {}), Texts{});
    EXPECT_EQ(nearest("gem", {"gemm"}, 0), Texts{});
}

TEST(Nearest, LongInputIsNotCompared) {
    EXPECT_EQ(nearest(std::string(1'000'000, 'a'), {"aaa", std::string(1'000'000, 'a')}), Texts{});
}

TEST(Nearest, DidYouMean) {
    EXPECT_EQ(did_you_mean("niave", {"naive", "tiled"}), "; did you mean 'naive'?");
    EXPECT_EQ(did_you_mean("blas", {"cublas", "cublas2"}), "; did you mean 'cublas', 'cublas2'?");
    EXPECT_EQ(did_you_mean("zzz", {"naive"}), "");
}

TEST(Utf8, WidthAndPadding) {
    EXPECT_EQ(display_width(""), 0U);
    EXPECT_EQ(display_width("171.3 µs"), 8U);
    EXPECT_EQ(display_width("\xFF\xFEx"), 3U);  // a damaged byte takes a column
    EXPECT_EQ(display_width("\xE2\x82"), 2U);   // a cut character
    EXPECT_EQ(display_width("😀"), 2U);
    EXPECT_EQ(display_width("行列積 gemm"), 11U);  // East Asian characters take two columns
    EXPECT_EQ(display_width("e\xCC\x81"), 1U);     // a combining accent takes none
    EXPECT_EQ(display_width("✓ ✗ ─ ● █ ▲ → × µ"), 17U);
    EXPECT_EQ(pad_right("行", 4), "行  ");
    EXPECT_EQ(pad_right("×7", 4), "×7  ");
    EXPECT_EQ(pad_left("×7", 4), "  ×7");
    EXPECT_EQ(pad_right("long", 2), "long");
    EXPECT_EQ(pad_left("long", 2), "long");
}

TEST(Utf8, EllipsisNeverExceedsTheWidth) {
    EXPECT_EQ(ellipsis("gemm", 4), "gemm");
    EXPECT_EQ(ellipsis("gemms", 4), "gem…");
    EXPECT_EQ(ellipsis("gemms", 4, true), "g...");
    EXPECT_EQ(ellipsis("µµµµ", 3), "µµ…");
    EXPECT_EQ(ellipsis("gemms", 1), "…");
    EXPECT_EQ(ellipsis("gemms", 0), "");
    EXPECT_EQ(ellipsis("gemms", 2, true), "..");
    for (std::size_t width = 0; width < 8; ++width) {
        EXPECT_LE(display_width(ellipsis("×·–≥≤±µ", width)), width);
        EXPECT_LE(display_width(ellipsis("×·–≥≤±µ", width, true)), width);
    }
}

TEST(Utf8, WrapBreaksAtSpacesAndCutsLongWords) {
    EXPECT_EQ(wrap("", 10), Texts{});
    EXPECT_EQ(wrap("   ", 10), Texts{});
    EXPECT_EQ(wrap("one two three", 7), (Texts{"one two", "three"}));
    EXPECT_EQ(wrap("one  two", 80), Texts{"one two"});
    EXPECT_EQ(wrap("µµµ µµµ", 3), (Texts{"µµµ", "µµµ"}));
    EXPECT_EQ(wrap("ab abcdefgh x", 3), (Texts{"ab", "abc", "def", "gh", "x"}));
    EXPECT_EQ(wrap("abc", 0), (Texts{"a", "b", "c"}));
}

TEST(Utf8, WideCharactersAreNeverSplitOrTooWide) {
    const std::string name = "カーネル名行列積";
    for (std::size_t w = 2; w < 20; ++w) {
        EXPECT_LE(display_width(ellipsis(name, w)), w);
        std::string joined;
        for (const std::string& line : wrap(name, w)) {
            EXPECT_LE(display_width(line), w);
            joined += line;
        }
        EXPECT_EQ(joined, name);
    }
    EXPECT_EQ(join(wrap(name, 1), ""), name);  // one a line, where not even one fits
}

TEST(Utf8, PrintableIsAlwaysSafeText) {
    const std::string bad = "\xEF\xBF\xBD";
    struct Row {
        std::string bytes, wanted;
    };
    const std::vector<Row> rows{
        {"void gemm<float, 4>(µ)", "void gemm<float, 4>(µ)"},
        {"a\tb\r\nc", "a b  c"},
        {std::string("a\0b", 3), "a" + bad + "b"},
        {"\x1B[31mred", bad + "[31mred"},
        {"\x7F", bad},
        {"\xC2\x9B", bad},  // C1: another way to write ESC [
        {"a\xE2\x80\xAE"
         "b",
         "a" + bad + "b"},                            // right-to-left override
        {"\xC0\x80", bad + bad},                      // overlong
        {"\xED\xA0\x80", bad + bad + bad},            // surrogate
        {"\xF4\x90\x80\x80", bad + bad + bad + bad},  // above U+10FFFF
        {"x\xE2\x82", "x" + bad + bad},               // cut
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(printable(row.bytes), row.wanted);
        EXPECT_EQ(printable(printable(row.bytes)), row.wanted);
    }
}

TEST(Utf8, ToAscii) {
    EXPECT_EQ(to_ascii("×7.3 · 171.3 µs (±0.1 %) ≥ 30 – ≤ 3"), "x7.3 | 171.3 us (+-0.1 %) >= 30 - <= 3");
    EXPECT_EQ(to_ascii("✓✗…"), "+x...");
    EXPECT_EQ(to_ascii("plain"), "plain");
    EXPECT_EQ(to_ascii("漢\xFF"), "??");
    for (const char c : to_ascii("┌──┤● 16.5 FLOP/B█→°²∞")) EXPECT_LT(static_cast<unsigned char>(c), 0x80U);
}

}  // namespace
}  // namespace kprof
