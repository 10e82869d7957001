#include "cli/sweep.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace kprof::cli {
namespace {

std::vector<std::string> texts(const std::string& sweep, const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const Shape& s : parse_sweep(sweep, names)) out.push_back(to_string(s));
    return out;
}

std::string error_of(const std::string& sweep, const std::vector<std::string>& names = {"m", "n", "k"}) {
    try {
        parse_sweep(sweep, names);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::usage);
        return std::string(e.what()) + " | " + e.hint();
    }
    ADD_FAILURE() << sweep << " was accepted";
    return {};
}

using List = std::vector<std::string>;

TEST(Sweep, AFactorAndADistance) {
    EXPECT_EQ(texts("1024:4096:x2", {"n"}), (List{"1024", "2048", "4096"}));
    EXPECT_EQ(texts("1024:4096", {"n"}), (List{"1024", "2048", "4096"}));
    EXPECT_EQ(texts("1000:2500:+500", {"n"}), (List{"1000", "1500", "2000", "2500"}));
    EXPECT_EQ(texts("100:250:x2", {"n"}), (List{"100", "200"}));  // never beyond the end
    EXPECT_EQ(texts("64:64", {"m", "n", "k"}), (List{"64x64x64"}));
}

TEST(Sweep, ByNameInAnyOrderWithFixedExtents) {
    EXPECT_EQ(texts("k=8192,m=1:4:x2,n=1024:4096:x2", {"m", "n", "k"}),
              (List{"1x1024x8192", "2x2048x8192", "4x4096x8192"}));
}

TEST(Sweep, WhatIsWrongIsQuotedWithTheForms) {
    EXPECT_NE(error_of("a:b").find("'a' is not a size"), std::string::npos);
    EXPECT_NE(error_of("4096:1024").find("starts above its end"), std::string::npos);
    EXPECT_NE(error_of("1:8:2").find("neither a factor (x2) nor a distance"), std::string::npos);
    EXPECT_NE(error_of("1:8:x1").find("a factor is 2 or more"), std::string::npos);
    EXPECT_NE(error_of("1:100000:+1").find("more than 64 sizes"), std::string::npos);
    EXPECT_NE(error_of("m=1:4,n=1:8,k=1").find("different numbers of sizes"), std::string::npos);
    EXPECT_NE(error_of("m=1:4,n=8").find("the extent k is missing"), std::string::npos);
    EXPECT_NE(error_of("rows=1:4").find("they are m, n, k"), std::string::npos);
    EXPECT_NE(error_of("1:2:3:4").find("FROM:TO:STEP"), std::string::npos);
    EXPECT_NE(error_of("").find("forms: 1024:16384:x2"), std::string::npos);
    EXPECT_NE(error_of("0:8").find("'0' is not a size"), std::string::npos);
    EXPECT_NE(error_of("1:4294967296").find("is not a size"), std::string::npos);
}

}  // namespace
}  // namespace kprof::cli
