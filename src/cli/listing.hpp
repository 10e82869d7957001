// A table of words: aligned columns for people, an array of objects for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kprof::cli {

struct Listing {
    std::vector<std::string> columns;            // headings, also the JSON keys
    std::vector<std::vector<std::string>> rows;  // each as long as columns
    std::string note;                            // after the table
    std::string text(int width) const;           // the last column is cut to fit
    nlohmann::json json() const;
};

}  // namespace kprof::cli
