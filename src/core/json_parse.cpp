// Text -> Json through nlohmann's SAX interface: that way repeated keys are seen (a DOM silently keeps one)
// and every error has a place.
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/json_locate.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

// Deeper than any real file; bounds the recursion of everything that walks a document later.
constexpr std::size_t deepest = 200;

class DocumentBuilder final : public Json::json_sax_t {
  public:
    DocumentBuilder(const std::string& text, const std::string& origin, ExitCode code)
        : text_(text), origin_(origin), code_(code) {}

    Json take() { return std::move(root_); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t& value) override { return put(Json::binary(std::move(value))); }
    bool start_object(std::size_t /*elements*/) override { return enter(Json::object()); }
    bool start_array(std::size_t /*elements*/) override { return enter(Json::array()); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }

    bool key(string_t& name) override {
        const auto [member, is_new] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
        if (!is_new) fail(locate_key(text_, keys_), "key '" + printable(name) + "' is given twice");
        member_ = &member->second;
        ++keys_;
        return true;
    }

    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const Json::exception& error) override {
        if (trim(text_).empty()) fail(0, "the file is empty, not JSON");
        // `position` counts the bytes read: the one that does not fit is the last of them.
        fail(position == 0 ? 0 : position - 1, "not valid JSON: " + reason_of(error.what()));
    }

  private:
    [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
        const TextPlace place = place_of(text_, offset);
        throw Error(code_, origin_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                               ": " + message);
    }

    // The library's text without its own prefix and position ("[json.exception.parse_error.101] parse error
    // at line 1, column 2: ").
    static std::string reason_of(const std::string& what) {
        std::size_t start = what.find("] ");
        start = start == std::string::npos ? 0 : start + 2;
        if (what.compare(start, 11, "parse error") == 0) {
            const std::size_t colon = what.find(": ", start);
            if (colon != std::string::npos) start = colon + 2;
        }
        constexpr std::size_t widest = 200;  // it quotes the last token, which may be a megabyte
        return ellipsis(printable(what.substr(start)), widest);
    }

    Json* add(Json value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Json& parent = *open_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        *member_ = std::move(value);
        return member_;
    }

    bool put(Json value) {
        add(std::move(value));
        return true;
    }

    bool enter(Json container) {
        if (open_.size() == deepest) {
            fail(text_.size(), "nested deeper than " + std::to_string(deepest) + " levels");
        }
        open_.push_back(add(std::move(container)));
        return true;
    }

    bool leave() {
        open_.pop_back();
        return true;
    }

    const std::string& text_;
    const std::string& origin_;
    ExitCode code_;
    Json root_;
    std::vector<Json*> open_;  // containers being filled, outermost first
    Json* member_ = nullptr;   // where the value of the last key goes
    std::size_t keys_ = 0;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& origin, ExitCode code) {
    DocumentBuilder builder(text, origin, code);
    constexpr bool whole_text = true, ignore_comments = true;
    Json::sax_parse(text, &builder, Json::input_format_t::json, whole_text, ignore_comments);
    return builder.take();
}

}  // namespace kprof
