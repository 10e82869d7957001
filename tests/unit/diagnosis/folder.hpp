// A --config-dir with one file, for tests of what users write.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "diagnosis/diagnose.hpp"

namespace kprof::test {

class Folder {
  public:
    Folder(const std::string& path, const std::string& text)
        : root_(std::filesystem::temp_directory_path() /
                ("kprof-rules-" + std::to_string(::getpid()) + "-" + std::to_string(++count_))) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    ~Folder() { std::filesystem::remove_all(root_); }
    RuleSet load() const { return RuleSet::load(ConfigStore::open(root_.string())); }
    std::string error() const {
        try {
            (void)load();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ExitCode::usage);
            return e.what();
        }
        return "no error";
    }

  private:
    inline static int count_ = 0;
    std::filesystem::path root_;
};

}  // namespace kprof::test
