// The table of kprof ceilings.
#include "cli/ceilings_view.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/strings.hpp"

namespace kprof::cli {
namespace {

Ceiling roof(const std::string& name, const std::string& pipe, double value, double clock,
             const std::string& how) {
    Ceiling c;
    c.kind = pipe.empty() ? "bandwidth" : "compute";
    c.name = name;
    c.pipe = pipe;
    c.value = value;
    c.unit = pipe.empty() ? "B/s" : pipe == "xu" ? "OP/s" : "FLOP/s";
    c.clock_mhz = clock;
    c.how = how;
    return c;
}

Machine machine() {
    Machine m;
    m.id = "own";
    m.clock_mhz = 1980;
    m.ceilings = {roof("dram", "", 4.8e12, 0, ""), roof("bf16", "tensor", 989.4e12, 1830, "")};
    return m;
}

std::vector<Ceiling> measured() {
    return {roof("dram", "", 4.3e12, 1980, "copy, 2 x 1 GiB"),
            roof("dram", "", 4.4e12, 1980, "read, 1 x 1 GiB"),
            roof("bf16", "tensor", 842e12, 1630, "cuBLASLt, 8192"),
            roof("special", "xu", 4e12, 1980, "ex2 loop")};
}

TEST(CeilingsTable, TheHighestWayStandsFirst) {
    const Listing l = ceilings_table(machine(), measured());
    ASSERT_EQ(l.rows.size(), 4u);
    EXPECT_EQ(l.rows[0][0], "DRAM");
    EXPECT_EQ(l.rows[0][1], "4.4 TB/s");
    EXPECT_EQ(l.rows[0][3], "92 %");
    EXPECT_EQ(l.rows[1][0], "  also");
    EXPECT_EQ(l.rows[1][7], "copy, 2 x 1 GiB");
    EXPECT_EQ(l.rows[2][0], "BF16 tensor");
    EXPECT_EQ(l.rows[2][3], "85 %");
    EXPECT_EQ(l.rows[2][4], "96 %");
    EXPECT_EQ(l.rows[3][2], "–");  // nothing published
    EXPECT_TRUE(contains(l.rows[3][1], "OP/s") && !contains(l.rows[3][1], "FLOP")) << l.rows[3][1];
}

TEST(CeilingsTable, ASuspectIsMarkedExplainedAndStandsLast) {
    std::vector<Ceiling> all = measured();
    all.push_back(roof("dram", "", 6e12, 1980, "write, 1 x 1 GiB"));
    all.back().suspect = true;
    const Listing l = ceilings_table(machine(), all);
    EXPECT_EQ(l.rows[0][1], "4.4 TB/s");
    EXPECT_EQ(l.rows[2][1], "6 TB/s suspect");
    const std::vector<std::string> notes = suspect_notes(machine(), all);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_TRUE(contains(notes[0], "write") && contains(notes[0], "125 %")) << notes[0];
}

TEST(CeilingsJson, SaysWhichRoofCounts) {
    MeasuredSection s;
    s.ceilings = measured();
    s.working_sets = {{"l1", 16384, 27e12, 1980, 0}};
    const nlohmann::json out = ceilings_json(machine(), s, {"a note"}, "");
    ASSERT_EQ(out["roofs"].size(), 4u);
    EXPECT_EQ(out["roofs"][0]["counts"], true);
    EXPECT_EQ(out["roofs"][1]["counts"], false);
    EXPECT_TRUE(out["roofs"][3]["published"].is_null());
    EXPECT_TRUE(out["saved"].is_null());
    EXPECT_EQ(out["measured"]["ceilings"].size(), 4u);
    EXPECT_EQ(out["measured"]["working_sets"][0]["bytes_per_sm"], 16384);
}

TEST(CeilingsTable, WorkingSetsAndLaunchesLeaveOutWhatIsMissing) {
    const Listing l = working_sets_table({{"l1", 16384, 27e12, 0, 0}, {"l2", 65536, 5.5e12, 0, 0}});
    ASSERT_EQ(l.rows.size(), 2u);
    EXPECT_EQ(l.rows[0][2], "–");
    EXPECT_EQ(l.rows[1][1], "–");
    EXPECT_EQ(launch_line({}), "");
    LaunchCosts launch;
    launch.graph_node_ns = 1200;
    EXPECT_EQ(launch_line(launch), "empty kernel: graph 1.200 µs a node");
}

}  // namespace
}  // namespace kprof::cli
