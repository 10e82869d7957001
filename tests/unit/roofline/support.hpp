// Shared by the roofline tests: the repository's own configs, and folders with a test's own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/config_store.hpp"
#include "core/profile.hpp"

namespace kprof::test {

inline std::string configs() {
    return std::string(KPROF_SOURCE_DIR) + "/configs";
}

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "kprof-roofline-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    void write(const std::string& path, const std::string& text) const {
        const std::filesystem::path full = std::filesystem::path(path_) / path;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream(full) << text;
    }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

inline DeviceFacts device(const std::string& name, int sms, int major, int minor) {
    DeviceFacts d;
    d.name = name;
    d.sm_count = sms;
    d.cc_major = major;
    d.cc_minor = minor;
    d.clock_max_mhz = 1500;
    return d;
}

inline void set(MetricSet& metrics, const std::string& id, double value, const std::string& unit) {
    metrics[id] = Measurement::of(id, value, unit, Origin::counter);
}

}  // namespace kprof::test
