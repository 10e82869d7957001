// A folder that is gone after the test, and files in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

struct ScratchFolder {
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "kprof-collect-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path whole = std::filesystem::path(path) / file;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole) << text;
    }
    std::string path;
};
