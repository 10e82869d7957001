#include "cli/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof::cli {

namespace {

constexpr std::size_t most_sizes = 64;

[[noreturn]] void fail(const std::string& text, const std::string& why,
                       const std::vector<std::string>& names) {
    std::vector<std::string> by_name;
    by_name.reserve(names.size());
    for (const std::string& name : names) by_name.push_back(name + "=1024:16384:x2");
    throw usage_error("--sweep '" + printable(text) + "': " + why,
                      "forms: 1024:16384:x2 (every extent), 1000:5000:+1000, or " + join(by_name, ","));
}

struct Range {
    const std::string& whole;  // the option's text, for messages
    const std::vector<std::string>& names;

    std::int64_t number(const std::string& part) const {
        std::int64_t value = 0;
        const char* end = part.data() + part.size();
        const auto [stop, error] = std::from_chars(part.data(), end, value);
        if (error != std::errc() || stop != end || value < 1 || value > 2147483647)
            fail(whole, "'" + printable(part) + "' is not a size from 1 to 2147483647", names);
        return value;
    }

    std::vector<std::int64_t> sizes(const std::string& text) const {
        std::vector<std::string> parts = split(text, ':');
        for (std::string& part : parts) part = trim(part);
        if (parts.size() == 1) return {number(parts[0])};
        if (parts.empty() || parts.size() > 3)
            fail(whole, "'" + printable(text) + "' is not FROM:TO:STEP", names);
        const std::int64_t from = number(parts[0]), to = number(parts[1]);
        const std::string step = parts.size() == 3 ? parts[2] : "x2";
        if (step.size() < 2 || (step[0] != 'x' && step[0] != '+'))
            fail(whole, "the step '" + printable(step) + "' is neither a factor (x2) nor a distance (+1024)",
                 names);
        const std::int64_t by = number(step.substr(1));
        if (step[0] == 'x' && by < 2) fail(whole, "a factor is 2 or more", names);
        if (from > to) fail(whole, "it starts above its end", names);
        std::vector<std::int64_t> list;
        for (std::int64_t size = from; size <= to; size = step[0] == 'x' ? size * by : size + by) {
            if (list.size() == most_sizes)
                fail(whole, "it has more than " + std::to_string(most_sizes) + " sizes", names);
            list.push_back(size);
        }
        return list;
    }
};

}  // namespace

std::vector<Shape> parse_sweep(const std::string& text, const std::vector<std::string>& names) {
    const Range range{text, names};
    std::vector<std::vector<std::int64_t>> columns(names.size());
    if (!contains(text, "=")) {
        std::fill(columns.begin(), columns.end(), range.sizes(lower(text)));
    } else {
        for (const std::string& part : split(lower(text), ',')) {
            const std::size_t equals = part.find('=');
            const std::string name = trim(part.substr(0, equals));
            const auto at = std::find(names.begin(), names.end(), name);
            if (equals == std::string::npos || at == names.end())
                fail(text, "'" + printable(part) + "' names no extent; they are " + join(names, ", "), names);
            columns[static_cast<std::size_t>(at - names.begin())] = range.sizes(part.substr(equals + 1));
        }
    }
    std::size_t count = 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (columns[i].empty()) fail(text, "the extent " + names[i] + " is missing", names);
        if (columns[i].size() == 1) continue;
        if (count > 1 && columns[i].size() != count)
            fail(text, "its ranges have different numbers of sizes", names);
        count = columns[i].size();
    }
    std::vector<Shape> shapes(count);
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t i = 0; i < names.size(); ++i)
            shapes[row].extents.emplace_back(names[i],
                                             columns[i].size() == 1 ? columns[i][0] : columns[i][row]);
    }
    return shapes;
}

}  // namespace kprof::cli
