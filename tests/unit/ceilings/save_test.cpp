// The user's config file: what is written, what is kept, and that it can be read again.
#include "ceilings/save.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace kprof {
namespace {

using test::roof;

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "kprof-ceilings-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

MeasuredSection section(double dram, const std::string& driver = "580.1") {
    MeasuredSection s;
    s.date = "2026-01-31T12:00:00Z";
    s.gpu = "NVIDIA H200";
    s.driver = driver;
    s.ceilings = {roof("bandwidth", "dram", "", dram, 1980, "copy, 2 x 1 GiB")};
    return s;
}

TEST(Save, WhatIsWrittenIsReadByTheLoader) {
    const Folder folder;
    MeasuredSection s = section(4.4e12);
    s.launch.stream_ns = 1900;
    s.working_sets = {{"l2", 65536, 5.5e12, 1980, 0.01}};
    const SavedCeilings saved = save_ceilings(folder.path(), test::machine(), s, "NVIDIA H200");
    ASSERT_EQ(saved.path, folder.path() + "/gpus/b200.json");
    const Machine m = load_machine(ConfigStore::open(folder.path()), "b200");
    ASSERT_NE(m.measured_bandwidth("dram"), nullptr);
    EXPECT_DOUBLE_EQ(m.measured_bandwidth("dram")->value, 4.4e12);
    EXPECT_EQ(m.bandwidth("dram")->origin, "datasheet");  // the published one stays
    EXPECT_DOUBLE_EQ(*m.launch.stream_ns, 1900);
    EXPECT_FALSE(m.launch.host_ns);
    ASSERT_EQ(m.working_sets.size(), 1u);
    EXPECT_EQ(m.working_sets[0].bytes_per_sm, 65536);
    // No half-written file is left behind.
    int files = 0;
    for (const auto& f : std::filesystem::directory_iterator(folder.path() + "/gpus")) files += f.exists();
    EXPECT_EQ(files, 1);
}

TEST(Save, SuspectsAreNotSaved) {
    MeasuredSection s = section(4.4e12);
    s.ceilings.push_back(roof("bandwidth", "dram", "", 6e12, 1980, "read, 1 x 1 GiB"));
    s.ceilings.back().suspect = true;
    const MeasuredSection merged = merge_measured({}, s, nullptr);
    ASSERT_EQ(merged.ceilings.size(), 1u);
    EXPECT_DOUBLE_EQ(merged.ceilings[0].value, 4.4e12);
}

TEST(Save, APartialMeasurementKeepsTheRest) {
    MeasuredSection before = section(4.3e12);
    before.ceilings.push_back(roof("bandwidth", "dram", "", 4.5e12, 1980, "read, 1 x 1 GiB"));
    before.ceilings.push_back(roof("compute", "bf16", "tensor", 840e12, 1630, "cuBLASLt, 8192"));
    before.launch.host_ns = 2000;
    bool dropped = true;
    const MeasuredSection merged = merge_measured(before, section(4.4e12), &dropped);
    EXPECT_FALSE(dropped);
    ASSERT_EQ(merged.ceilings.size(), 3u);
    EXPECT_DOUBLE_EQ(merged.ceilings[0].value, 4.4e12);  // the copy anew
    EXPECT_DOUBLE_EQ(*merged.launch.host_ns, 2000);
}

TEST(Save, RoofsOfAnotherDriverAreDropped) {
    MeasuredSection before = section(4.3e12, "570.0");
    before.ceilings.push_back(roof("compute", "bf16", "tensor", 840e12, 1630, "cuBLASLt, 8192"));
    bool dropped = false;
    const MeasuredSection merged = merge_measured(before, section(4.4e12), &dropped);
    EXPECT_TRUE(dropped);
    EXPECT_EQ(merged.ceilings.size(), 1u);
}

TEST(Save, AUsersOwnFieldsStayAndCommentsLeaveACopy) {
    const Folder folder;
    std::filesystem::create_directories(folder.path() + "/gpus");
    std::ofstream(folder.path() + "/gpus/b200.json")
        << "// mine\n{\"id\": \"b200\", \"notes\": [\"bought in 2025\"]}\n";
    const SavedCeilings saved = save_ceilings(folder.path(), test::machine(), section(4.4e12), "NVIDIA H200");
    const Json now = parse_json(read_file(saved.path), saved.path);
    EXPECT_EQ(now["notes"][0], "bought in 2025");
    EXPECT_EQ(now["measured"]["ceilings"].size(), 1u);
    EXPECT_TRUE(std::filesystem::exists(saved.path + ".bak"));
    ASSERT_EQ(saved.notes.size(), 1u);
    EXPECT_NE(saved.notes[0].find(".bak"), std::string::npos);
}

TEST(Save, ABrokenFileIsNotOverwritten) {
    const Folder folder;
    std::filesystem::create_directories(folder.path() + "/gpus");
    std::ofstream(folder.path() + "/gpus/b200.json") << "{\"id\": ";
    EXPECT_THROW(save_ceilings(folder.path(), test::machine(), section(4.4e12), "NVIDIA H200"), Error);
    EXPECT_EQ(read_file(folder.path() + "/gpus/b200.json"), "{\"id\": ");
}

TEST(Save, AGpuThatNoConfigKnowsGetsACompleteOne) {
    const Folder folder;
    Machine m = test::machine();
    m.id = "device";
    m.name = "NVIDIA Thing 9000";
    m.described = true;
    m.memory_bytes = std::int64_t{64} << 30;
    const SavedCeilings saved = save_ceilings(folder.path(), m, section(4.4e12), "NVIDIA Thing 9000");
    ASSERT_FALSE(saved.path.empty());
    DeviceFacts device;
    device.name = "NVIDIA Thing 9000";
    device.sm_count = 132;
    const auto found = machine_for(ConfigStore::open(folder.path()), device);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, "nvidia-thing-9000");
    EXPECT_FALSE(found->described);
    EXPECT_DOUBLE_EQ(found->measured_bandwidth("dram")->value, 4.4e12);
    EXPECT_DOUBLE_EQ(found->compute("bf16", "tensor")->value, 989.4e12);
}

TEST(Save, NothingIsInventedForAGpuThatCannotBeDescribed) {
    const Folder folder;
    Machine m = test::machine();
    m.described = true;
    m.arch.clear();
    const SavedCeilings saved = save_ceilings(folder.path(), m, section(4.4e12), "Unknown");
    EXPECT_TRUE(saved.path.empty());
    ASSERT_EQ(saved.notes.size(), 1u);
    EXPECT_TRUE(save_ceilings("", test::machine(), section(4.4e12), "NVIDIA H200").path.empty());
}

TEST(Save, IdsAreFileNames) {
    EXPECT_EQ(config_id("NVIDIA RTX 6000 Ada Generation"), "nvidia-rtx-6000-ada-generation");
    EXPECT_EQ(config_id("  ../GPU (x) "), "gpu-x");
    EXPECT_EQ(config_id("///"), "gpu");
}

}  // namespace
}  // namespace kprof
