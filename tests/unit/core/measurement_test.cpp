#include "core/measurement.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/dtype.hpp"
#include "support.hpp"

namespace kprof {
namespace {

TEST(MeasurementTest, NamesGoBothWays) {
    for (const Status s : {Status::ok, Status::unsupported, Status::failed, Status::not_collected}) {
        EXPECT_EQ(status_from(to_string(s)), s);
    }
    for (const Origin o : {Origin::counter, Origin::timer, Origin::model, Origin::imported}) {
        EXPECT_EQ(origin_from(to_string(o)), o);
    }
    const Error e = test::error_of([] { status_from("unsuported"); });
    EXPECT_EQ(e.code(), ExitCode::usage);
    EXPECT_TRUE(test::says(e, "did you mean 'unsupported'"));
    EXPECT_TRUE(test::hints(test::error_of([] { origin_from(""); }), "counter, timer, model, imported"));
}

TEST(MeasurementTest, AMissingValueHasNoNumber) {
    const Measurement m =
        Measurement::missing("x", "%", Status::unsupported, "this chip has no such counter");
    EXPECT_FALSE(m.ok());
    EXPECT_FALSE(m.get().has_value());
    EXPECT_EQ(m.reason, "this chip has no such counter");
    EXPECT_FALSE(Measurement{}.ok());
}

TEST(MeasurementTest, AnOkValueIsFinite) {
    const Measurement m = Measurement::of("x", 0, "%", Origin::timer);
    ASSERT_TRUE(m.get().has_value());
    EXPECT_EQ(*m.get(), 0);  // zero is a value
    EXPECT_EQ(m.origin, Origin::timer);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const Measurement none = Measurement::of("x", bad, "%", Origin::model);
        EXPECT_EQ(none.status, Status::failed);
        EXPECT_EQ(none.origin, Origin::model);
        EXPECT_FALSE(none.reason.empty());
        EXPECT_FALSE(none.get().has_value());
    }
}

TEST(DTypeTest, NamesAndSizes) {
    std::set<std::string> names;
    for (const DType t : all_dtypes()) {
        names.insert(to_string(t));
        ASSERT_TRUE(dtype_from(to_string(t)).has_value());
        EXPECT_EQ(*dtype_from(to_string(t)), t);
    }
    EXPECT_EQ(names, (std::set<std::string>{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8"}));
    EXPECT_EQ(dtype_from("BF16"), DType::bf16);
    EXPECT_FALSE(dtype_from("fp"));
    EXPECT_FALSE(dtype_from(""));
    EXPECT_EQ(size_of(DType::fp64), 8U);
    EXPECT_EQ(size_of(DType::tf32), 4U);
    EXPECT_EQ(size_of(DType::bf16), 2U);
    EXPECT_EQ(size_of(DType::fp8), 1U);
}

}  // namespace
}  // namespace kprof
