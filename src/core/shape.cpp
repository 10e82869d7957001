#include "core/shape.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

constexpr std::int64_t max_extent = std::numeric_limits<std::int32_t>::max();

// "4096, 4096x4096x4096 or m=4096,n=4096,k=4096", with the names of this kernel.
std::string forms_for(const std::vector<std::string>& names) {
    std::vector<std::string> in_order, by_name;
    for (const std::string& name : names) {
        in_order.emplace_back("4096");
        by_name.push_back(name + "=4096");
    }
    const std::string first = names.size() > 1 ? "4096 (every extent), " + join(in_order, "x") : "4096";
    return "forms: " + first + " or " + join(by_name, ",");
}

class ShapeParser {
  public:
    ShapeParser(const std::string& text, const std::vector<std::string>& names)
        : text_(text), names_(names) {}

    Shape parse() const {
        if (trim(text_).empty()) fail("it is empty");
        return contains(text_, "=") ? by_name() : in_order();
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw usage_error("shape '" + printable(text_) + "': " + why, forms_for(names_));
    }

    std::int64_t extent(const std::string& part) const {
        const std::string digits = trim(part);
        std::int64_t value = 0;
        const char* end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, value);
        const bool too_large = error == std::errc::result_out_of_range;
        if (!too_large && (error != std::errc() || stop != end)) {
            fail("'" + printable(digits) + "' is not a whole number");
        }
        if (too_large || value < 1 || value > max_extent) {
            fail("extent " + digits + " is outside 1 ... " + std::to_string(max_extent));
        }
        return value;
    }

    Shape in_order() const {
        const std::vector<std::string> parts = split(lower(text_), 'x');
        if (parts.size() != 1 && parts.size() != names_.size()) {
            fail("it has " + std::to_string(parts.size()) + " extents, this kernel takes " +
                 std::to_string(names_.size()) + " (" + join(names_, ", ") + ")");
        }
        Shape shape;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            shape.extents.emplace_back(names_[i], extent(parts.size() == 1 ? parts[0] : parts[i]));
        }
        return shape;
    }

    Shape by_name() const {
        std::vector<std::optional<std::int64_t>> found(names_.size());
        for (const std::string& part : split(text_, ',')) {
            const std::size_t equals = part.find('=');
            if (equals == std::string::npos) fail("'" + printable(part) + "' has no '='");
            const std::string name = trim(part.substr(0, equals));
            const auto place = std::find(names_.begin(), names_.end(), name);
            if (place == names_.end()) {
                fail("there is no extent '" + printable(name) + "', this kernel has " + join(names_, ", "));
            }
            auto& slot = found[static_cast<std::size_t>(place - names_.begin())];
            if (slot) fail("extent '" + name + "' is given twice");
            slot = extent(part.substr(equals + 1));
        }
        Shape shape;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (!found[i]) fail("extent '" + names_[i] + "' is missing");
            shape.extents.emplace_back(names_[i], *found[i]);
        }
        return shape;
    }

    const std::string& text_;
    const std::vector<std::string>& names_;
};

}  // namespace

std::int64_t Shape::at(const std::string& name) const {
    for (const auto& [key, value] : extents) {
        if (key == name) return value;
    }
    throw std::out_of_range("shape " + to_string(*this) + " has no extent '" + name + "'");
}

Shape parse_shape(const std::string& text, const std::vector<std::string>& names) {
    return ShapeParser(text, names).parse();
}

std::string to_string(const Shape& s) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : s.extents) parts.push_back(std::to_string(value));
    return join(parts, "x");
}

}  // namespace kprof
