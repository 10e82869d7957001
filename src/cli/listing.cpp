#include "cli/listing.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/strings.hpp"

namespace kprof::cli {

std::string Listing::text(int width) const {
    std::vector<std::size_t> widths(columns.size(), 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        widths[i] = display_width(columns[i]);
        for (const auto& row : rows) widths[i] = std::max(widths[i], display_width(row[i]));
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string out;
        for (std::size_t i = 0; i < cells.size(); ++i)
            out += i + 1 < cells.size() ? pad_right(cells[i], widths[i] + 2) : cells[i];
        while (!out.empty() && out.back() == ' ') out.pop_back();
        return ellipsis(out, static_cast<std::size_t>(width)) + "\n";
    };
    std::string out = line(columns);
    for (const auto& row : rows) out += line(row);
    if (!note.empty()) out += "\n" + note + "\n";
    return out;
}

nlohmann::json Listing::json() const {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& row : rows) {
        nlohmann::json object = nlohmann::json::object();
        for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = printable(row[i]);
        array.push_back(std::move(object));
    }
    return array;
}

}  // namespace kprof::cli
