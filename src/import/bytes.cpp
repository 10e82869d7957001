#include "import/bytes.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {

std::uint64_t Bytes::number(std::uint64_t at, unsigned width, const char* what) const {
    const std::string_view bytes = part(at, width, what).data_;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
}

Bytes Bytes::part(std::uint64_t at, std::uint64_t size, const char* what) const {
    if (at > data_.size() || size > data_.size() - at)
        fail(
            fmt::format("ends in the middle of {} ({} bytes at {}, {} in all)", what, size, at, data_.size()),
            "the file is truncated or damaged: copy or build it again");
    return {data_.substr(at, size), origin_};
}

std::string Bytes::name(std::uint64_t at, const char* what) const {
    const std::string_view rest = part(at, 0, what).size() == 0 ? data_.substr(at) : std::string_view();
    return std::string(rest.substr(0, rest.find('\0')));
}

void Bytes::fail(const std::string& message, const std::string& hint) const {
    throw usage_error(printable(origin_) + ": " + message, hint);
}

}  // namespace kprof
