// Reading and writing JSON files for people: // comments allowed, errors name file, line and field.
// Only .cpp files include <nlohmann/json.hpp>; headers use the forward declarations.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace kprof {

using Json = nlohmann::json;

// Parses text that may hold // and /* */ comments. `origin` (a path) goes into the error, with line and
// column. Duplicate keys are an error. `code` is the exit code of the Error thrown.
Json parse_json(const std::string& text, const std::string& origin, ExitCode code = ExitCode::usage);

// A place in a parsed document, for error messages: "configs/gpus/h200.json:12: field 'dram.value': ...".
// The line is found by looking the JSON pointer up in the source text when an error is raised.
class JsonCursor {
  public:
    JsonCursor(const Json& value, const std::string& text, std::string origin);

    const Json& raw() const { return *value_; }
    const std::string& path() const { return path_; }  // JSON pointer, "/ceilings/0/value"
    const std::string& origin() const { return *origin_; }
    // False for a key whose value is null as well: null says "unknown", like leaving the field out.
    bool has(const std::string& key) const;
    JsonCursor at(const std::string& key) const;  // error when absent
    JsonCursor at(std::size_t index) const;
    std::size_t size() const;               // elements of an array or object
    std::vector<std::string> keys() const;  // of an object
    std::vector<JsonCursor> items() const;  // of an array

    std::string string() const;
    double number() const;
    std::int64_t integer() const;  // also a whole number written as 1.41e11
    bool boolean() const;
    std::string string_or(const std::string& key, const std::string& fallback) const;
    double number_or(const std::string& key, double fallback) const;
    bool boolean_or(const std::string& key, bool fallback) const;
    std::vector<std::string> strings() const;  // an array of strings
    std::vector<std::string> strings_or_empty(const std::string& key) const;

    // Rejects keys that nobody reads: a typo in a config must not be silent. Keys starting with '_' are
    // comments.
    void only(const std::vector<std::string>& known) const;
    [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;

  private:
    JsonCursor(const JsonCursor& parent, const Json& value, const std::string& step);
    void expect(bool right, const char* wanted) const;

    const Json* value_;
    const std::string* text_;  // owned by the document (see ConfigStore), outlives the cursor
    std::shared_ptr<const std::string> origin_;  // shared: a profile file has 100,000 cursors
    std::string path_;
};

// A parsed file that owns its text, so that cursors into it can name lines.
struct JsonDocument {
    JsonDocument(std::string text, std::string origin, ExitCode code = ExitCode::usage);
    ~JsonDocument();
    JsonDocument(JsonDocument&&) noexcept;
    JsonCursor root() const;
    const std::string& origin() const { return origin_; }

  private:
    std::string text_, origin_;
    std::unique_ptr<Json> value_;
};

// Reads a whole file; throws Error(usage) naming the path and the system's reason.
std::string read_file(const std::string& path);

}  // namespace kprof
