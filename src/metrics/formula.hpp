// Expressions of config files, evaluated by muParser: arithmetic, comparisons, && || !, ?:, min, max, abs,
// sqrt, log2. Names may contain dots ("dram__bytes_read.sum"). A missing input makes the result missing,
// never 0.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kprof {

class Formula {
  public:
    // Throws Error(usage) with the text and the position of the fault; `where` names the config field.
    Formula(const std::string& text, const std::string& where);
    ~Formula();
    Formula(Formula&&) noexcept;
    Formula& operator=(Formula&&) noexcept;

    const std::string& text() const { return text_; }
    const std::vector<std::string>& names() const { return names_; }  // variables used, sorted, each once

    struct Result {
        std::optional<double> value;       // empty: missing or not a finite number
        std::vector<std::string> missing;  // names without a value
        bool not_finite = false;           // all inputs were there, but the result is inf or NaN (0/0)
    };
    // `lookup` gives the value of a name or nothing.
    Result evaluate(const std::function<std::optional<double>(const std::string&)>& lookup) const;

  private:
    struct Impl;
    std::string text_;
    std::vector<std::string> names_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace kprof
