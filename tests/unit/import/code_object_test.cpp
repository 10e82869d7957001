#include "import/code_object.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/error.hpp"
#include "elf_file.hpp"

namespace kprof {
namespace {

using namespace test;

std::vector<AmdCodeObject> read(const std::string& bytes) {
    return read_code_objects(bytes, "x.co");
}

// The message of the Error that reading throws; a test fails without one.
std::string message(const std::string& bytes) {
    try {
        (void)read(bytes);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::usage);
        return std::string(e.what()) + " | " + e.hint();
    }
    ADD_FAILURE() << "was read";
    return {};
}

std::string plain() {
    return code_object(metadata("gfx942", {kernel("_Z3addPf"), kernel("scale")}));
}

TEST(CodeObject, KernelsAreRead) {
    const auto objects = read(plain());
    ASSERT_EQ(objects.size(), 1U);
    EXPECT_EQ(objects[0].chip, "gfx942");
    EXPECT_EQ(objects[0].features, "");
    ASSERT_EQ(objects[0].kernels.size(), 2U);
    const AmdKernel& k = objects[0].kernels[0];
    EXPECT_EQ(k.name, "add(float*)");
    EXPECT_EQ(objects[0].kernels[1].name, "scale");
    EXPECT_EQ(k.vgprs, 84);
    EXPECT_EQ(k.agprs, 16);
    EXPECT_EQ(k.sgprs, 30);
    EXPECT_EQ(k.vgpr_spills, 3);
    EXPECT_EQ(k.lds, 8448);
    EXPECT_EQ(k.scratch, 16);
    EXPECT_EQ(k.max_threads, 256);
    EXPECT_EQ(k.wavefront, 64);
    EXPECT_FALSE(k.required_threads);
}

TEST(CodeObject, FeaturesAndRequiredSizes) {
    nlohmann::json k = kernel("k");
    k[".reqd_workgroup_size"] = {8, 4, 2};
    const auto objects = read(code_object(metadata("gfx90a:sramecc+:xnack-", {k})));
    EXPECT_EQ(objects[0].chip, "gfx90a");
    EXPECT_EQ(objects[0].features, "sramecc+:xnack-");
    EXPECT_EQ(objects[0].kernels[0].required_threads, (std::array<int, 3>{8, 4, 2}));
}

TEST(CodeObject, BundlesAndProgramsThatHoldThem) {
    const std::string host = "host-x86_64-unknown-linux--", id = "hipv4-amdgcn-amd-amdhsa--";
    const std::string two = bundle({{host, ""},
                                    {id + "gfx942", plain()},
                                    {id + "gfx90a", code_object(metadata("gfx90a", {kernel("b")}))}});
    ASSERT_EQ(read(two).size(), 2U);
    EXPECT_EQ(read(two)[1].chip, "gfx90a");
    // The linker lays the bundles of several files one after another, each at 4,096.
    std::string section = two;
    pad(section, 4096);
    section += bundle({{id + "gfx942", code_object(metadata("gfx942", {kernel("c")}))}});
    pad(section, 4096);
    const auto objects = read(elf_file(62, {{".text", 1, "code"}, {".hip_fatbin", 1, section}}));
    ASSERT_EQ(objects.size(), 3U);
    EXPECT_EQ(objects[2].kernels[0].name, "c");
    EXPECT_NE(message(bundle({{host, ""}})).find("host only"), std::string::npos);
}

TEST(CodeObject, OtherFilesSayWhatTheyAre) {
    const auto says = [](const std::string& bytes, const std::vector<std::string>& texts) {
        const std::string m = message(bytes);
        for (const std::string& text : texts) EXPECT_NE(m.find(text), std::string::npos) << m;
    };
    says("", {"x.co", "empty"});
    says("hello", {"neither an ELF file nor an offload bundle"});
    says("CCOB\x02", {"compressed", "--no-offload-compress"});
    says(elf_file(62, {{".hip_fatbin", 1, "CCOB rest"}}), {"compressed"});
    says(elf_file(62, {{".hip_fatbin", 1, "rubbish"}}), {"something else", "byte 0"});
    says(elf_file(62, {{".text", 1, "code"}}), {"no .hip_fatbin"});
    says(elf_file(190, {{".nv.info", 1, "x"}}), {"NVIDIA", "cuobjdump"});
    says(elf_file(224, {{".text", 1, "code"}}), {"without the metadata note"});
    std::string small = elf_file(224, {});
    small[4] = 1;
    says(small, {"no 64-bit"});
}

TEST(CodeObject, DamagedMetadata) {
    nlohmann::json without = kernel("k");
    without.erase(".sgpr_count");
    EXPECT_NE(message(code_object(metadata("gfx942", {without}))).find(".sgpr_count"), std::string::npos);
    nlohmann::json negative = kernel("k");
    negative[".vgpr_count"] = -4;
    EXPECT_NE(message(code_object(metadata("gfx942", {negative}))).find(".vgpr_count"), std::string::npos);
    nlohmann::json old = metadata("gfx942", {kernel("k")});
    old.erase("amdhsa.target");
    EXPECT_NE(message(code_object(old)).find("version 3"), std::string::npos);
    EXPECT_NE(message(code_object(metadata("", {}))).find("names no chip"), std::string::npos);
    const auto raw = [](const std::string& packed) {
        return elf_file(224, {{".note", 7, note("AMDGPU", 32, packed)}});
    };
    EXPECT_NE(message(raw("\xc1")).find("MessagePack"), std::string::npos);
    EXPECT_NE(message(raw(std::string(1 << 20, '\x91'))).find("MessagePack"),
              std::string::npos);  // a million lists deep
    EXPECT_NE(message(raw("\xdd\xff\xff\xff\xff")).find("MessagePack"),
              std::string::npos);  // 4 billion elements
}

// Whatever is cut off or changed: an Error or a result, never anything else.
TEST(CodeObject, TruncationsAreErrors) {
    const std::string whole =
        elf_file(62, {{".hip_fatbin", 1, bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", plain()}})}});
    for (const std::string& file : {plain(), whole})
        for (std::size_t size = 0; size < file.size(); ++size)
            ASSERT_THROW((void)read(file.substr(0, size)), Error) << size;
    EXPECT_EQ(read(whole).size(), 1U);
}

TEST(CodeObject, ChangedBytesAreErrorsOrResults) {
    const std::string whole =
        elf_file(62, {{".hip_fatbin", 1, bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", plain()}})}});
    std::mt19937 random(7);
    int errors = 0;
    for (int round = 0; round < 5000; ++round) {
        std::string file = whole;
        for (int i = 0; i < 4; ++i) file[random() % file.size()] = static_cast<char>(random());
        try {
            (void)read(file);
        } catch (const Error&) {
            ++errors;
        }
    }
    EXPECT_GT(errors, 500);
}

}  // namespace
}  // namespace kprof
