// Bounds-checked reading of little-endian binary files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kprof {

// Bytes of a file with what they are, for messages. Every read that would pass the end throws Error(usage):
// "FILE: ends in the middle of the section headers (needs 4,160 bytes, has 4,000)".
class Bytes {
  public:
    Bytes(std::string_view data, std::string origin) : data_(data), origin_(std::move(origin)) {}

    std::uint64_t size() const { return data_.size(); }
    std::string_view text() const { return data_; }
    const std::string& origin() const { return origin_; }
    bool starts_with(std::string_view magic) const { return data_.substr(0, magic.size()) == magic; }

    // A little-endian number of `width` bytes (1, 2, 4, 8). `what` names the part of the file.
    std::uint64_t number(std::uint64_t at, unsigned width, const char* what) const;
    Bytes part(std::uint64_t at, std::uint64_t size, const char* what) const;
    // The text from `at` to the next zero byte, or to the end.
    std::string name(std::uint64_t at, const char* what) const;
    [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;

  private:
    std::string_view data_;
    std::string origin_;
};

}  // namespace kprof
