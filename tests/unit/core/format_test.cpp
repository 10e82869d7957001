#include "core/format.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace kprof {
namespace {

struct Row {
    double value;
    const char* wanted;
};

TEST(Format, Times) {
    const std::vector<Row> rows{
        {0, "0 ns"},
        {0.5, "0.5 ns"},
        {12.34, "12.3 ns"},
        {850, "850 ns"},
        {999.4, "999 ns"},
        {999.5, "1.000 µs"},
        {1000, "1.000 µs"},
        {171'300, "171.3 µs"},
        {171'349, "171.3 µs"},
        {999'940, "999.9 µs"},
        {999'950, "1.000 ms"},  // rounding carries into the next unit
        {999'990, "1.000 ms"},
        {9'999.6, "10.00 µs"},
        {22'930'000, "22.93 ms"},
        {999'960'000, "1.00 s"},
        {1'310'000'000, "1.31 s"},
        {9.999e9, "10.0 s"},
        {3.6e12, "3600 s"},
        {-171'300, "-171.3 µs"},
    };
    for (const Row& row : rows) EXPECT_EQ(format_time_ns(row.value), row.wanted) << row.value;
}

TEST(Format, BytesAndRates) {
    const std::vector<Row> bytes{
        {0, "0 B"},          {1, "1 B"},          {999, "999 B"},    {999.6, "1 kB"},     {1000, "1 kB"},
        {49'152, "49.2 kB"}, {8.21e9, "8.21 GB"}, {8.2e9, "8.2 GB"}, {999.4e9, "999 GB"}, {999.6e9, "1 TB"},
        {141e9, "141 GB"},   {-2.5e6, "-2.5 MB"}, {0.25, "0.25 B"},  {1e18, "1 EB"},      {5e21, "5e+21 B"},
    };
    for (const Row& row : bytes) EXPECT_EQ(format_bytes(row.value), row.wanted) << row.value;
    EXPECT_EQ(format_bandwidth(4.28e12), "4.28 TB/s");
    EXPECT_EQ(format_bandwidth(362.9e9), "363 GB/s");
    EXPECT_EQ(format_flops(790e12), "790 TFLOP/s");
    EXPECT_EQ(format_flops(66.9e12), "66.9 TFLOP/s");
    EXPECT_EQ(format_flops(999.5e12), "1 PFLOP/s");
}

TEST(Format, Counts) {
    const std::vector<Row> rows{
        {0, "0"},           {-0.0, "0"},        {7, "7"},           {999, "999"},
        {1000, "1,000"},    {12'345, "12,345"}, {12.5, "12.5"},     {999'999, "999,999"},
        {999'999.6, "1 M"}, {1e6, "1 M"},       {1.37e11, "137 G"}, {-12'345, "-12,345"},
        {1234.4, "1,234"},  {0.001, "0.001"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(format_count(row.value), row.wanted) << row.value;
    }
}

TEST(Format, ValuesInTheirUnit) {
    struct Value {
        double value;
        const char *unit, *wanted;
    };
    const std::vector<Value> rows{
        {171'300, "ns", "171.3 µs"},
        {8.2e9, "B", "8.2 GB"},
        {4.8e12, "B/s", "4.8 TB/s"},
        {1.374e11, "FLOP", "137 GFLOP"},
        {6.0e12, "FLOP/s", "6 TFLOP/s"},
        {1979e12, "OP/s", "1.98 POP/s"},
        {99.49, "%", "99.5 %"},
        {0, "%", "0.0 %"},
        {-0.01, "%", "0.0 %"},
        {100, "%", "100.0 %"},
        {1980, "MHz", "1980 MHz"},
        {16.52, "FLOP/B", "16.5 FLOP/B"},
        {13.2, "", "13.2"},
        {0, "", "0"},
        {999.7, "", "1000"},
        {0.01234, "", "0.0123"},
        {1.5e-9, "", "1.5e-09"},
        {1.5e-10, "", "1.5e-10"},
        {1.5e30, "W", "1.5e+30 W"},
        {123'456, "", "123,456"},
    };
    for (const Value& row : rows) EXPECT_EQ(format_value(row.value, row.unit), row.wanted) << row.unit;
}

TEST(Format, Factors) {
    const std::vector<Row> rows{
        {7.3, "×7.3"}, {7.34, "×7.3"}, {1, "×1.0"},       {9.94, "×9.9"}, {9.96, "×10"},   {10.4, "×10"},
        {68.2, "×68"}, {99.6, "×100"}, {1234.4, "×1234"}, {0.5, "×0.50"}, {0.996, "×1.0"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(format_factor(row.value), row.wanted) << row.value;
    }
}

TEST(Format, AClockHasItsPrefixAtTheUnit) {
    EXPECT_EQ(format_value(1.973e9, "Hz"), "1.97 GHz");
}

TEST(Format, SharesHaveTwoDigits) {
    EXPECT_EQ(format_share(0.0951), "9.5 %");
    EXPECT_EQ(format_share(0.0996), "10 %");
    EXPECT_EQ(format_share(0.834), "83 %");
    EXPECT_EQ(format_share(0), "0 %");
    EXPECT_EQ(format_percent(12.5, 1), "12.5 %");
    EXPECT_EQ(format_percent(-0.01, 1), "0.0 %");
    EXPECT_EQ(format_percent(-12.5, 1), "-12.5 %");
}

TEST(Format, NumbersThatNoGpuHasGetAnExponent) {
    EXPECT_EQ(format_factor(1e300), "×1e+300");
    EXPECT_EQ(format_percent(1e300, 0), "1e+300 %");
    EXPECT_EQ(format_value(1e300, "%"), "1e+300 %");
    EXPECT_EQ(format_flops(1e303), "1e+303 FLOP/s");
    EXPECT_EQ(format_bandwidth(5e20), "500 EB/s");
    EXPECT_EQ(format_factor(123456), "×123456");
}

TEST(Format, NeverShowsNanOrInfinity) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()}) {
        for (const std::string& text :
             {format_time_ns(bad), format_bytes(bad), format_bandwidth(bad), format_flops(bad),
              format_count(bad), format_value(bad, "%"), format_value(bad, ""), format_factor(bad)}) {
            EXPECT_EQ(text, "n/a");
        }
    }
}

TEST(Format, ExtremesStayShort) {
    for (const double v : {1e300, 1e-300, -1e300, 5e-324, 1.7e308}) {
        for (const std::string& text : {format_time_ns(v), format_bytes(v), format_flops(v), format_count(v),
                                        format_value(v, ""), format_value(v, "W")}) {
            EXPECT_LT(text.size(), 24U) << text;
            EXPECT_EQ(text.find("nan"), std::string::npos);
            EXPECT_EQ(text.find("inf"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace kprof
