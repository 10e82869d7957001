#include "core/shape.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support.hpp"

namespace kprof {
namespace {

const std::vector<std::string> mnk{"m", "n", "k"};

TEST(ShapeTest, Forms) {
    EXPECT_EQ(to_string(parse_shape("4096", mnk)), "4096x4096x4096");
    EXPECT_EQ(to_string(parse_shape("4096x1024x8192", mnk)), "4096x1024x8192");
    EXPECT_EQ(to_string(parse_shape(" 4096 X 1024 X 8192 ", mnk)), "4096x1024x8192");
    EXPECT_EQ(to_string(parse_shape("k=256, m=64,n=128", mnk)), "64x128x256");
    EXPECT_EQ(to_string(parse_shape("1048576", {"n"})), "1048576");
    EXPECT_EQ(to_string(parse_shape("n=2147483647", {"n"})), "2147483647");
    EXPECT_EQ(to_string(Shape{}), "");
}

TEST(ShapeTest, ExtentsKeepTheKernelsOrder) {
    const Shape s = parse_shape("k=3,n=2,m=1", mnk);
    ASSERT_EQ(s.extents.size(), 3U);
    EXPECT_EQ(s.extents[0].first, "m");
    EXPECT_EQ(s.at("k"), 3);
    EXPECT_THROW(s.at("x"), std::out_of_range);
    EXPECT_EQ(parse_shape(to_string(s), mnk), s);
}

TEST(ShapeTest, ErrorsQuoteTheTextAndShowTheForms) {
    struct Row {
        const char *text, *says;
    };
    const std::vector<Row> rows{
        {"", "empty"},
        {"  ", "empty"},
        {"abc", "'abc' is not a whole number"},
        {"0", "outside 1 ... 2147483647"},
        {"-5", "outside 1 ... 2147483647"},
        {"2147483648", "outside 1 ... 2147483647"},
        {"99999999999999999999999", "outside 1 ... 2147483647"},
        {"4096.5", "'4096.5' is not a whole number"},
        {"1e3", "'1e3' is not a whole number"},
        {"4096x1024", "it has 2 extents, this kernel takes 3 (m, n, k)"},
        {"1x2x3x4", "it has 4 extents"},
        {"1x2x", "'' is not a whole number"},
        {"m=1,n=2", "extent 'k' is missing"},
        {"m=1,n=2,k=3,m=4", "extent 'm' is given twice"},
        {"m=1,n=2,q=3", "there is no extent 'q', this kernel has m, n, k"},
        {"m=1,2,k=3", "'2' has no '='"},
        {"m=,n=2,k=3", "'' is not a whole number"},
        {"4k", "'4k' is not a whole number"},
    };
    for (const Row& row : rows) {
        const Error e = test::error_of([&] { parse_shape(row.text, mnk); });
        EXPECT_EQ(e.code(), ExitCode::usage);
        EXPECT_TRUE(test::says(e, row.says));
        EXPECT_TRUE(test::says(e, "shape '" + std::string(row.text) + "'"));
        EXPECT_TRUE(test::hints(e, "m=4096,n=4096,k=4096"));
    }
    EXPECT_EQ(test::error_of([] { parse_shape("x", {"n"}); }).hint(), "forms: 4096 or n=4096");
}

}  // namespace
}  // namespace kprof
