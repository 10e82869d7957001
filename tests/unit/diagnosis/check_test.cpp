// What users write in rule and model files is held against what there is when it is loaded.
#include <gtest/gtest.h>

#include "diagnosis/rule.hpp"
#include "folder.hpp"
#include "kernels.hpp"

namespace kprof::test {
namespace {

struct Slip {
    const char* file;
    const char* text;
    const char* says;
};

class UserFile : public testing::TestWithParam<Slip> {};

TEST_P(UserFile, SlipIsAnErrorWithFileLineAndField) {
    const Slip& slip = GetParam();
    const std::string error = Folder(slip.file, slip.text).error();
    EXPECT_TRUE(holds(error, slip.says)) << error;
    EXPECT_TRUE(holds(error, std::string(slip.file) + ":2: field '")) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Slips, UserFile,
    testing::Values(
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"fails\": \"tensor_activ < threshold\"}",
             "field 'fails': 'tensor_activ' is no metric and no fact; did you mean 'tensor_active'"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"metric\": \"nope\"}", "'nope' is no metric"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"op\": \">\"}", "says the opposite"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"fails\": \"tensor_active > threshold\"}",
             "says the opposite"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"fails\": \"tensor_active + threshold < -1\"}",
             "can never fail"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"fails\": \"1/0 > 1\"}",
             "does not look at its metric"},
        Slip{"rules/x.json", "{\"id\": \"barriers\",\n\"fails\": \"stall_barrier > 3\"}",
             "does not look at the threshold"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"gain\": {\"or\": \"-5\", \"assumes\": \"x\"}}",
             "field 'gain.or': '-5' is always the same"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"gain\": {\"or\": \"0\", \"assumes\": \"x\"}}",
             "always the same"},
        Slip{"rules/x.json",
             "{\"id\": \"dram_traffic\",\n\"gain\": {\"after\": {\"drm\": \"t.dram\"}, \"assumes\": \"x\"}}",
             "'drm' is no resource; did you mean 'dram'"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"advice\": [\"{bogus} x\"]}", "'bogus'"},
        Slip{"rules/x.json", "{\"id\": \"barriers\",\n\"needs\": [\"lsu_activ\"]}", "'lsu_active'"},
        Slip{"rules/x.json",
             "{\"id\": \"barriers\",\n\"matters\": [{\"if\": \"share.disk > 1\", \"else\": \"x\"}]}",
             "'share.disk'"},
        Slip{"rules/x.json", "{\"id\": \"barriers\",\n\"applies\": [{\"if\": \"0 > 1\", \"else\": \"x\"}]}",
             "always the same"},
        Slip{"rules/x.json",
             "{\"id\": \"barriers\",\n\"applies\": [{\"if\": \"bound > 1\", \"else\": \"x\"}]}",
             "'bound' is a text"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"threshold\": -5}", "a percentage is 0 to 100"},
        Slip{"rules/x.json", "{\"id\": \"tensor_cores\",\n\"threshold\": 500}", "a percentage is 0 to 100"},
        Slip{"rules/x.json", "{\"id\": \"dram_traffic\",\n\"threshold\": 0.5}", "a multiple of the minimum"},
        Slip{"model/bounds.json", "{\n\"constants\": {\"busy\": {\"value\": -1, \"source\": \"x\"}}}",
             "field 'constants.busy.value': -1 is out of range"},
        Slip{"model/bounds.json",
             "{\n\"derived\": [{\"name\": \"twice\", \"formula\": \"dram_byts * 2\", \"source\": \"x\"}]}",
             "did you mean 'dram_bytes'"},
        Slip{"model/verdicts.json", "{\n\"inconclusive\": \"{bogus}\"}", "'bogus' is no metric"}));

TEST(UserFile, AGoodOneIsTaken) {
    const Folder folder("rules/x.json", R"({"id": "tensor_cores", "threshold": 40,
  "applies": [{"if": "matrix_product == 1 && share.dram < busy", "else": "{bound}"}]})");
    EXPECT_DOUBLE_EQ(folder.load().find("tensor_cores")->threshold, 40);
}

TEST(Threshold, WithoutMeaningIsRefused) {
    RuleSet r = RuleSet::load(store());
    for (const char* bad : {"tensor_cores=-5", "dram_traffic=-1", "tensor_cores=500", "barriers=-0.1",
                            "dram_traffic=0.5", "barriers=1e300"}) {
        EXPECT_THROW(r.override_threshold(bad), Error) << bad;
    }
    for (const char* good : {"tensor_cores=0", "tensor_cores=100", "dram_traffic=1", "barriers=0"}) {
        EXPECT_NO_THROW(r.override_threshold(good)) << good;
    }
}

}  // namespace
}  // namespace kprof::test
