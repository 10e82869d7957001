#include "core/config_store.hpp"

#include <algorithm>
#include <filesystem>

#include "support.hpp"

namespace kprof {
namespace {

using test::error_of;
using test::says;

// Every layer below a test's control, and nothing of the machine it runs on.
class Layers : public ::testing::Test {
  protected:
    test::TempFolder folder_;
    test::Variable home_{"HOME", folder_ / "home"};
    test::Variable xdg_{"XDG_CONFIG_HOME", ""};
    test::Variable env_{"KPROF_CONFIG_DIR", ""};

    static std::string layer_names(const ConfigStore& store) {
        std::string names;
        for (const auto& layer : store.layers()) names += layer.name + " ";
        return names;
    }
};

TEST_F(Layers, EmbeddedIsAlwaysThere) {
    const ConfigStore store = ConfigStore::embedded_only();
    EXPECT_EQ(layer_names(store), "embedded ");
    ASSERT_TRUE(store.exists("gpus/h200.json"));
    EXPECT_EQ(store.load("gpus/h200.json").root().at("id").string(), "h200");
    EXPECT_EQ(store.origin_of("gpus/h200.json"), "embedded:gpus/h200.json");
    const auto all = store.list("gpus");
    EXPECT_NE(std::find(all.begin(), all.end(), "gpus/h200.json"), all.end());
    EXPECT_TRUE(store.list("gpu").empty());  // a folder, not the start of a name
    EXPECT_TRUE(store.list("gpus", ".txt").empty());
}

TEST_F(Layers, UpperHidesLowerInOrder) {
    const std::string path = "gpus/h200.json";
    folder_.write("home/.config/kprof/" + path, R"({"id": "user"})");
    EXPECT_EQ(ConfigStore::open("").load(path).root().at("id").string(), "user");

    folder_.write("xdg/kprof/" + path, R"({"id": "xdg"})");
    const test::Variable xdg("XDG_CONFIG_HOME", folder_ / "xdg");
    EXPECT_EQ(ConfigStore::open("").load(path).root().at("id").string(), "xdg");

    folder_.write("env/" + path, R"({"id": "env"})");
    const test::Variable env("KPROF_CONFIG_DIR", folder_ / "env");
    EXPECT_EQ(ConfigStore::open("").load(path).root().at("id").string(), "env");

    folder_.write("flag/" + path, R"({"id": "flag"})");
    const ConfigStore store = ConfigStore::open(folder_ / "flag");
    EXPECT_EQ(store.load(path).root().at("id").string(), "flag");
    EXPECT_EQ(store.origin_of(path), folder_ / ("flag/" + path));
    EXPECT_EQ(store.text(path), R"({"id": "flag"})");

    std::vector<std::string> ids;
    for (const JsonDocument& d : store.layered(path)) ids.push_back(d.root().at("id").string());
    EXPECT_EQ(ids, (std::vector<std::string>{"h200", "xdg", "env", "flag"}));  // lowest first
}

TEST_F(Layers, ListsTheUnionSortedAndOnce) {
    folder_.write("flag/gpus/mine.json", "{}");
    folder_.write("flag/gpus/h200.json", "{}");
    folder_.write("flag/gpus/sub/deep.json", "{}");
    folder_.write("flag/gpus/notes.txt", "");
    folder_.write("flag/gpus/.#mine.json", "{}");
    folder_.write("flag/gpus/.git/x.json", "{}");
    std::filesystem::create_directories(folder_ / "flag/gpus/folder.json");
    // The same folder written with a slash at its end.
    for (const std::string& flag : {folder_ / "flag", (folder_ / "flag") + "/", (folder_ / "flag") + "/./"}) {
        const auto names = ConfigStore::open(flag).list("gpus");
        EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
        for (const char* wanted : {"gpus/h200.json", "gpus/mine.json", "gpus/sub/deep.json"}) {
            EXPECT_EQ(std::count(names.begin(), names.end(), wanted), 1) << wanted << " of " << flag;
        }
        for (const char* unwanted :
             {"gpus/.#mine.json", "gpus/.git/x.json", "gpus/folder.json", "gpus/notes.txt"}) {
            EXPECT_EQ(std::count(names.begin(), names.end(), unwanted), 0) << unwanted;
        }
    }
    EXPECT_EQ(ConfigStore::open(folder_ / "flag").list("gpus", ".txt"),
              std::vector<std::string>{"gpus/notes.txt"});
    EXPECT_TRUE(ConfigStore::open(folder_ / "flag").list("no-such").empty());
}

TEST_F(Layers, AGivenFolderMustExist) {
    const Error flag = error_of([&] { ConfigStore::open(folder_ / "none"); });
    EXPECT_EQ(flag.code(), ExitCode::usage);
    EXPECT_TRUE(says(flag, "--config-dir: there is no folder '" + (folder_ / "none") + "'"));
    EXPECT_FALSE(flag.hint().empty());
    EXPECT_TRUE(says(error_of([&] { ConfigStore::open(folder_.write("file", "")); }), "there is no folder"));
    const test::Variable env("KPROF_CONFIG_DIR", folder_ / "none");
    EXPECT_TRUE(says(error_of([] { ConfigStore::open(""); }), "KPROF_CONFIG_DIR"));
}

TEST_F(Layers, AbsentUserFolderAndRelativeXdgAreNoLayers) {
    EXPECT_EQ(layer_names(ConfigStore::open("")).find("user"), std::string::npos);
    const test::Variable xdg("XDG_CONFIG_HOME", "relative");
    EXPECT_EQ(layer_names(ConfigStore::open("")).find("user"), std::string::npos);
    const test::Variable home("HOME", "");
    EXPECT_EQ(ConfigStore::open("").layers().back().name, "embedded");
}

TEST_F(Layers, AMissingFileNamesWhereItWasLookedFor) {
    folder_.write("flag/x", "");
    const ConfigStore store = ConfigStore::open(folder_ / "flag");
    const Error e = error_of([&] { store.load("gpus/none.json"); });
    EXPECT_EQ(e.code(), ExitCode::usage);
    EXPECT_TRUE(says(e, "gpus/none.json"));
    EXPECT_TRUE(says(e, "--config-dir (" + (folder_ / "flag") + ")"));
    EXPECT_TRUE(says(e, "embedded"));
    EXPECT_FALSE(store.exists("gpus/none.json"));
    EXPECT_TRUE(store.layered("gpus/none.json").empty());
    EXPECT_THROW(store.text("gpus/none.json"), Error);
    EXPECT_THROW(store.origin_of("gpus/none.json"), Error);
}

TEST_F(Layers, APathCannotLeaveItsLayer) {
    folder_.write("secret.json", "{}");
    folder_.write("flag/gpus/a.json", "{}");
    const ConfigStore store = ConfigStore::open(folder_ / "flag");
    EXPECT_TRUE(store.exists("gpus/a.json"));
    EXPECT_FALSE(store.exists("../secret.json"));
    EXPECT_FALSE(store.exists("gpus/../../secret.json"));
    EXPECT_FALSE(store.exists(folder_ / "secret.json"));
    EXPECT_FALSE(store.exists(""));
    EXPECT_FALSE(store.exists("gpus"));
    const auto above = store.list("..");
    EXPECT_TRUE(above.empty());
}

TEST_F(Layers, ABrokenFileNamesItsPathAndLine) {
    const std::string file = folder_.write("flag/gpus/bad.json", "{\n  \"a\" 1}");
    const Error e = error_of([&] { ConfigStore::open(folder_ / "flag").load("gpus/bad.json"); });
    EXPECT_TRUE(says(e, file + ":2:7: not valid JSON"));
}

}  // namespace
}  // namespace kprof
