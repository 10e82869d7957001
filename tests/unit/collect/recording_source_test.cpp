#include <gtest/gtest.h>

#include "collect/counter_source.hpp"
#include "core/profile_json.hpp"
#include "support.hpp"

namespace kprof {
namespace {

KernelProfile recorded() {
    KernelProfile p;
    p.kernel.name = "naive_kernel(float const*)";
    p.kernel.family = "zeta";
    p.kernel.variant = "two-step";
    p.kernel.dtype = "fp32";
    p.kernel.shape = {{{"m", 64}, {"n", 32}}};
    p.provenance.kind = "live";
    p.provenance.date = "2025-11-30T10:00:00Z";
    p.provenance.passes = 4;
    p.provenance.stages = {"first", "follow-up 1"};
    p.time = Measurement::of("time", 1500, "ns", Origin::timer);
    p.counters["dram__bytes_read.sum"] = Measurement::of("dram__bytes_read.sum", 8192, "", Origin::counter);
    p.counters["a__bad.sum"] = Measurement::missing("a__bad.sum", "", Status::failed, "was 0/0");
    return p;
}

class RecordingSource : public ::testing::Test {
  protected:
    RecordingSource() {
        folder.write("recordings/testgpu/zeta-two-step-fp32-64x32.json", write_profiles({recorded()}));
        folder.write("recordings/testgpu/README-less.json", "not a recording");
    }
    ScratchFolder folder;
    ConfigStore store = ConfigStore::open(folder.path);
    KernelRequest request{"zeta", "two-step", "fp32", {{{"m", 64}, {"n", 32}}}};
};

std::string whole_error(CounterSource& source, const KernelRequest& request) {
    try {
        source.begin(request, {});
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::environment);
        return std::string(e.what()) + "\n" + e.hint();
    }
    ADD_FAILURE() << "no error";
    return {};
}

TEST_F(RecordingSource, BeginGivesTheProfileWithoutCounters) {
    const auto source = make_recording_source(store);
    EXPECT_STREQ(source->kind(), "recording");
    const KernelProfile p = source->begin(request, {});
    EXPECT_EQ(p.provenance.kind, "recording");
    EXPECT_EQ(p.provenance.passes, 4);
    EXPECT_TRUE(p.provenance.stages.empty());
    EXPECT_DOUBLE_EQ(p.time.value, 1500);
    EXPECT_TRUE(p.counters.empty());
}

TEST_F(RecordingSource, CollectMovesInWhatIsAskedFor) {
    const auto source = make_recording_source(store);
    KernelProfile p = source->begin(request, {});
    source->collect(p, {"dram__bytes_read.sum", "l2__other.sum"}, "first", {});
    EXPECT_DOUBLE_EQ(p.counters.at("dram__bytes_read.sum").value, 8192);
    EXPECT_EQ(p.counters.at("l2__other.sum").status, Status::not_collected);
    EXPECT_EQ(p.counters.at("l2__other.sum").reason, "not in the recording of 2025-11-30");
    EXPECT_EQ(p.counters.count("a__bad.sum"), 0U);  // nobody asked
    source->collect(p, {"a__bad.sum"}, "follow-up 1", {});
    EXPECT_EQ(p.counters.at("a__bad.sum").status, Status::failed);
    EXPECT_EQ(p.provenance.stages, (std::vector<std::string>{"first", "follow-up 1"}));
}

TEST_F(RecordingSource, AMissingShapeNamesTheRecordedOnesAndTheModel) {
    const auto source = make_recording_source(store);
    request.shape.extents[0].second = 128;
    const std::string text = whole_error(*source, request);
    EXPECT_NE(text.find("64x32 (testgpu)"), std::string::npos) << text;
    EXPECT_NE(text.find("kprof run zeta --variant two-step --dtype fp32 --shape 128x32 --source model"),
              std::string::npos)
        << text;
}

TEST_F(RecordingSource, AnotherVariantNamesWhatIsRecordedOfTheFamily) {
    const auto source = make_recording_source(store);
    request.variant = "fast";
    EXPECT_NE(whole_error(*source, request).find("recorded of zeta: two-step fp32 64x32"), std::string::npos);
    request.family = "nothing";
    EXPECT_NE(whole_error(*source, request).find("recorded kernels:"), std::string::npos);
}

TEST_F(RecordingSource, ListGivesKeysAndDates) {
    for (const RecordingKey& key : list_recordings(store)) {
        if (key.family != "zeta") continue;
        EXPECT_EQ(key.gpu, "testgpu");
        EXPECT_EQ(key.variant, "two-step");
        EXPECT_EQ(key.dtype, "fp32");
        EXPECT_EQ(key.shape, "64x32");
        EXPECT_EQ(key.date, "2025-11-30T10:00:00Z");
        return;
    }
    FAIL() << "the recording is not listed";
}

TEST_F(RecordingSource, ABrokenRecordingIsNamed) {
    folder.write("recordings/testgpu/zeta-two-step-fp32-64x32.json", "{ broken");
    const auto source = make_recording_source(store);
    try {
        source->begin(request, {});
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("zeta-two-step-fp32-64x32.json"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace kprof
