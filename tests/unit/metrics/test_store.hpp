// A config folder made for one test, laid over the embedded files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/config_store.hpp"
#include "core/error.hpp"
#include "metrics/catalogue.hpp"

namespace kprof {

class TestStore {
  public:
    TestStore() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        root_ = std::filesystem::temp_directory_path() /
                ("kprof_" + std::to_string(getpid()) + "_" + test->test_suite_name() + "_" + test->name());
        std::filesystem::create_directories(root_ / "metrics");
    }
    ~TestStore() { std::filesystem::remove_all(root_); }
    TestStore(const TestStore&) = delete;
    TestStore& operator=(const TestStore&) = delete;

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(root_ / "metrics" / (name + ".json")) << text;
    }
    ConfigStore open() const { return ConfigStore::open(root_.string()); }
    Catalogue load(const std::string& chip) const { return Catalogue::load(open(), "nvidia", chip); }
    // The error of loading the catalogue of `chip`; "" when it loads.
    std::string error(const std::string& chip) const {
        try {
            load(chip);
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ExitCode::usage);
            return e.what();
        }
        return "";
    }

  private:
    std::filesystem::path root_;
};

// A metric entry with all the texts that an entry needs; `rest` is the recipe.
inline std::string metric(const std::string& id, const std::string& rest, const std::string& unit = "") {
    return R"({"id": ")" + id + R"(", "title": "t", "unit": ")" + unit +
           R"(", "group": "g", "description": "d", "source": "s", )" + rest + "}";
}
inline std::string file(const std::string& metrics, const std::string& chip = "TT1") {
    return "{\"chips\": [\"" + chip + "\"],\n\"metrics\": [\n" + metrics + "\n]}";
}

}  // namespace kprof
