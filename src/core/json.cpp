#include "core/json.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/json_locate.hpp"
#include "core/strings.hpp"

namespace kprof {

JsonCursor::JsonCursor(const Json& value, const std::string& text, std::string origin)
    : value_(&value), text_(&text), origin_(std::make_shared<const std::string>(std::move(origin))) {}

JsonCursor::JsonCursor(const JsonCursor& parent, const Json& value, const std::string& step)
    : value_(&value), text_(parent.text_), origin_(parent.origin_) {
    path_.reserve(parent.path_.size() + 1 + step.size());
    path_.append(parent.path_).append("/").append(step);
}

void JsonCursor::fail(const std::string& message, const std::string& hint) const {
    const TextPlace place = place_of(*text_, locate_pointer(*text_, path_));
    const std::string field = path_.empty() ? std::string() : "field '" + field_name(path_) + "': ";
    throw usage_error(*origin_ + ":" + std::to_string(place.line) + ": " + field + message, hint);
}

void JsonCursor::expect(bool right, const char* wanted) const {
    if (right) return;
    std::string is = value_->type_name();
    if (value_->is_string())
        is += " '" + ellipsis(printable(value_->get_ref<const std::string&>()), 40) + "'";
    if (value_->is_number()) is += " " + value_->dump();
    fail(std::string("must be ") + wanted + ", is " + is);
}

bool JsonCursor::has(const std::string& key) const {
    expect(value_->is_object(), "an object");
    const auto member = value_->find(key);
    return member != value_->end() && !member->is_null();
}

JsonCursor JsonCursor::at(const std::string& key) const {
    expect(value_->is_object(), "an object");
    const auto member = value_->find(key);
    if (member == value_->end()) {
        const JsonCursor absent(*this, *value_, escape_step(key));
        absent.fail("is missing" + did_you_mean(key, keys()));
    }
    return {*this, *member, escape_step(key)};
}

JsonCursor JsonCursor::at(std::size_t index) const {
    expect(value_->is_array(), "an array");
    if (index >= value_->size()) {
        fail("has " + std::to_string(value_->size()) + " elements, element " + std::to_string(index) +
             " is wanted");
    }
    return {*this, (*value_)[index], std::to_string(index)};
}

std::size_t JsonCursor::size() const {
    expect(value_->is_array() || value_->is_object(), "an array or an object");
    return value_->size();
}

std::vector<std::string> JsonCursor::keys() const {
    expect(value_->is_object(), "an object");
    std::vector<std::string> names;
    names.reserve(value_->size());
    for (const auto& [name, value] : value_->items()) names.push_back(name);
    return names;
}

std::vector<JsonCursor> JsonCursor::items() const {
    expect(value_->is_array(), "an array");
    std::vector<JsonCursor> elements;
    elements.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) elements.push_back(at(i));
    return elements;
}

std::string JsonCursor::string() const {
    expect(value_->is_string(), "a string");
    return value_->get<std::string>();
}

double JsonCursor::number() const {
    expect(value_->is_number(), "a number");
    return value_->get<double>();
}

std::int64_t JsonCursor::integer() const {
    constexpr double limit = 9.0e18;  // below 2^63, exactly a double
    if (value_->is_number_float()) {
        const double v = value_->get<double>();
        expect(v == std::trunc(v) && std::fabs(v) <= limit, "a whole number");
        return static_cast<std::int64_t>(v);
    }
    expect(value_->is_number_integer(), "a whole number");
    const bool fits =
        !value_->is_number_unsigned() || value_->get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
    expect(fits, "a whole number below 2^63");
    return value_->get<std::int64_t>();
}

bool JsonCursor::boolean() const {
    expect(value_->is_boolean(), "true or false");
    return value_->get<bool>();
}

std::string JsonCursor::string_or(const std::string& key, const std::string& fallback) const {
    return has(key) ? at(key).string() : fallback;
}

double JsonCursor::number_or(const std::string& key, double fallback) const {
    return has(key) ? at(key).number() : fallback;
}

bool JsonCursor::boolean_or(const std::string& key, bool fallback) const {
    return has(key) ? at(key).boolean() : fallback;
}

std::vector<std::string> JsonCursor::strings() const {
    std::vector<std::string> texts;
    for (const JsonCursor& item : items()) texts.push_back(item.string());
    return texts;
}

std::vector<std::string> JsonCursor::strings_or_empty(const std::string& key) const {
    return has(key) ? at(key).strings() : std::vector<std::string>{};
}

void JsonCursor::only(const std::vector<std::string>& known) const {
    for (const std::string& key : keys()) {
        const bool comment = !key.empty() && key.front() == '_';
        if (comment || std::find(known.begin(), known.end(), key) != known.end()) continue;
        at(key).fail("unknown field" + did_you_mean(key, known), "known here: " + join(known, ", "));
    }
}

JsonDocument::JsonDocument(std::string text, std::string origin, ExitCode code)
    : text_(std::move(text)),
      origin_(std::move(origin)),
      value_(std::make_unique<Json>(parse_json(text_, origin_, code))) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;

JsonCursor JsonDocument::root() const {
    return {*value_, text_, origin_};
}

std::string read_file(const std::string& path) {
    const auto failed = [&](int error) {
        return usage_error("cannot read '" + printable(path) + "': " + std::strerror(error),
                           error == ENOENT
                               ? "check the path; kprof writes such files with --profile FILE or --json FILE"
                           : error == EISDIR ? "name a file in that folder"
                                             : "");
    };
    int fd = -1;
    do {
        fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) throw failed(errno);
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            const int error = got < 0 ? errno : 0;
            ::close(fd);
            if (error != 0) throw failed(error);
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
        constexpr std::size_t most = std::size_t{1}
                                     << 30;  // 100,000 profiles; /dev/zero would take all memory
        if (text.size() > most) {
            ::close(fd);
            throw usage_error("'" + printable(path) + "' is larger than 1 GiB",
                              "split it: each profile stands for itself");
        }
    }
}

}  // namespace kprof
