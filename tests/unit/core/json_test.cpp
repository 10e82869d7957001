#include "core/json.hpp"

#include <functional>
#include <nlohmann/json.hpp>

#include "core/json_locate.hpp"
#include "support.hpp"

namespace kprof {
namespace {

using test::error_of;
using test::hints;
using test::says;

TEST(ParseJson, AllowsCommentsAndBom) {
    const Json j =
        parse_json("\xEF\xBB\xBF// head\n{ /* a \" } */ \"x\": 1, // tail\n \"s\": \"// no comment\"}", "f");
    EXPECT_EQ(j.at("x"), 1);
    EXPECT_EQ(j.at("s"), "// no comment");
}

TEST(ParseJson, ValuesComeThrough) {
    const std::string text =
        R"({"a":[1,-2,2.5,true,null,"\u00b5\n",[],{}],"b":{"c":{"d":18446744073709551615}}})";
    EXPECT_EQ(parse_json(text, "f"), Json::parse(text));
    EXPECT_EQ(parse_json("3", "f"), Json(3));
}

TEST(ParseJson, FaultsNameFileLineAndColumn) {
    struct Row {
        std::string text, at, says;
    };
    const std::vector<Row> rows{
        {"", "f.json:1:1:", "empty"},
        {" \n\n ", "f.json:1:1:", "empty"},
        {"{", "f.json:1:2:", "unexpected end of input"},
        {"{\n  \"a\": 1,\n}", "f.json:3:1:", "not valid JSON"},
        {"{\n  \"a\": 1\n  \"b\": 2}", "f.json:3:5:", "not valid JSON"},
        {"[1, 2", "f.json:1:6:", "unexpected end of input"},
        {"{} {}", "f.json:1:4:", "not valid JSON"},
        {"{\"a\": 1e999}", "f.json:1:11:", "1e999"},
        {"{\"a\": NaN}", "f.json:1:7:", "not valid JSON"},
        {"[01]", "f.json:1:3:", "not valid JSON"},
        {"[\"\xFF\"]", "f.json:1:3:", "not valid JSON"},
        {"[\"\n\"]", "f.json:", "not valid JSON"},
        {"[1 /* open", "f.json:1:", "not valid JSON"},
        {"{\"a\": 1, \"b\": {},\n \"a\": 2}", "f.json:2:2:", "key 'a' is given twice"},
        {"{\"x\": {\"a\": \"a\", \"b\": [{\"c\": 1}],\n\n   \"b\": 2}}",
         "f.json:3:4:", "key 'b' is given twice"},
        {"{\"b\": 1,\n // \"b\": 2,\n \"\\u0062\": 3}", "f.json:3:2:", "key 'b' is given twice"},
    };
    for (const Row& row : rows) {
        const Error e = error_of([&] { parse_json(row.text, "f.json"); });
        EXPECT_TRUE(std::string(e.what()).starts_with(row.at)) << e.what() << " for " << row.text;
        EXPECT_TRUE(says(e, row.says)) << row.text;
        EXPECT_FALSE(says(e, "json.exception"));
        EXPECT_EQ(e.code(), ExitCode::usage);
    }
}

TEST(ParseJson, SameKeyInDifferentObjectsIsFine) {
    EXPECT_EQ(parse_json(R"([{"a":1},{"a":{"a":2}}])", "f").size(), 2U);
}

TEST(ParseJson, TheExitCodeIsTheCallersChoice) {
    EXPECT_EQ(error_of([] { parse_json("{", "f", ExitCode::environment); }).code(), ExitCode::environment);
}

TEST(ParseJson, HostileTextIsAnErrorNotACrash) {
    EXPECT_TRUE(
        says(error_of([] { parse_json(std::string(1'000'000, '['), "f"); }), "nested deeper than 200"));
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    EXPECT_TRUE(says(error_of([&] { parse_json(objects, "f"); }), "nested deeper than 200"));
    const std::string deep = std::string(200, '[') + std::string(200, ']');
    EXPECT_NO_THROW(parse_json(deep, "f"));
    // A quoted token is cut, so that the message fits a screen.
    const Error e = error_of([] { parse_json("[" + std::string(1'000'000, '"'), "f"); });
    EXPECT_LT(std::string(e.what()).size(), 1000U);
    const Error control = error_of([] { parse_json(std::string("[\"\x1B[2J\0\"]", 9), "f"); });
    EXPECT_EQ(std::string(control.what()).find('\x1B'), std::string::npos);
}

const char* const config = R"(// A machine.
{
  "id": "h200",
  "_comment": 1,
  "ceilings": [
    {"name": "dram", "value": 4.8e12},
    {"name": "l2",
     "value": "fast"}
  ],
  "sizes": {"a/b": 1, "m~n": -2},
  "whole": 1.41e11, "half": 1.5, "huge": 1e19, "big": 18446744073709551615,
  "on": true, "none": null, "list": ["x", "y"]
})";

class Cursor : public ::testing::Test {
  protected:
    JsonDocument document_{config, "gpus/h200.json"};
    JsonCursor root_ = document_.root();
};

TEST_F(Cursor, ReadsValues) {
    EXPECT_EQ(root_.at("id").string(), "h200");
    EXPECT_EQ(root_.at("ceilings").size(), 2U);
    EXPECT_EQ(root_.at("ceilings").at(0).at("value").number(), 4.8e12);
    EXPECT_EQ(root_.at("ceilings").at(1).path(), "/ceilings/1");
    EXPECT_EQ(root_.at("whole").integer(), 141'000'000'000);
    EXPECT_EQ(root_.at("sizes").at("m~n").integer(), -2);
    EXPECT_TRUE(root_.at("on").boolean());
    EXPECT_EQ(root_.at("list").strings(), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(root_.at("sizes").keys(), (std::vector<std::string>{"a/b", "m~n"}));
    EXPECT_EQ(root_.at("ceilings").items().size(), 2U);
    EXPECT_EQ(root_.origin(), "gpus/h200.json");
    EXPECT_EQ(root_.raw().at("id"), "h200");
}

TEST_F(Cursor, FallbacksServeAbsentAndNullFieldsOnly) {
    EXPECT_EQ(root_.string_or("absent", "x"), "x");
    EXPECT_EQ(root_.string_or("id", "x"), "h200");
    EXPECT_EQ(root_.number_or("none", 3), 3);
    EXPECT_TRUE(root_.boolean_or("on", false));
    EXPECT_TRUE(root_.boolean_or("off", true));
    EXPECT_TRUE(root_.strings_or_empty("absent").empty());
    EXPECT_FALSE(root_.has("none"));
    EXPECT_TRUE(root_.has("list"));
    // A wrong type is not "absent".
    EXPECT_TRUE(says(error_of([&] { root_.number_or("id", 1); }), "must be a number"));
    EXPECT_TRUE(says(error_of([&] { root_.strings_or_empty("sizes"); }), "must be an array"));
}

TEST_F(Cursor, FaultsNameFileLineAndField) {
    struct Row {
        std::function<void(const JsonCursor&)> read;
        std::string wanted;
    };
    const std::vector<Row> rows{
        {[](const JsonCursor& c) { c.at("ceilings").at(1).at("value").number(); },
         "gpus/h200.json:8: field 'ceilings[1].value': must be a number, is string 'fast'"},
        {[](const JsonCursor& c) { c.at("ceilings").at(1).at("unit"); },
         "gpus/h200.json:7: field 'ceilings[1].unit': is missing"},
        {[](const JsonCursor& c) { c.at("ceiling"); },
         "gpus/h200.json:2: field 'ceiling': is missing; did you mean 'ceilings'?"},
        {[](const JsonCursor& c) { c.at("id").number(); },
         "gpus/h200.json:3: field 'id': must be a number, is string 'h200'"},
        {[](const JsonCursor& c) { c.at("none").string(); },
         "gpus/h200.json:12: field 'none': must be a string, is null"},
        {[](const JsonCursor& c) { c.at("half").integer(); },
         "gpus/h200.json:11: field 'half': must be a whole number, is number 1.5"},
        {[](const JsonCursor& c) { c.at("huge").integer(); },
         "gpus/h200.json:11: field 'huge': must be a whole number, is number 1e+19"},
        {[](const JsonCursor& c) { c.at("big").integer(); },
         "gpus/h200.json:11: field 'big': must be a whole number below 2^63, is number 18446744073709551615"},
        {[](const JsonCursor& c) { c.at("sizes").at("a/b").string(); },
         "gpus/h200.json:10: field 'sizes.a/b': must be a string, is number 1"},
        {[](const JsonCursor& c) { c.at("list").at(2); },
         "gpus/h200.json:12: field 'list': has 2 elements, element 2 is wanted"},
        {[](const JsonCursor& c) { c.at("list").at("x"); },
         "gpus/h200.json:12: field 'list': must be an object, is array"},
        {[](const JsonCursor& c) { c.at("on").size(); },
         "gpus/h200.json:12: field 'on': must be an array or an object, is boolean"},
        {[](const JsonCursor& c) { c.at("on").string(); },
         "gpus/h200.json:12: field 'on': must be a string, is boolean"},
        {[](const JsonCursor& c) { c.at("list").boolean(); },
         "gpus/h200.json:12: field 'list': must be true or false, is array"},
        {[](const JsonCursor& c) { c.items(); }, "gpus/h200.json:2: must be an array, is object"},
    };
    for (const Row& row : rows) {
        const Error e = error_of([&] { row.read(root_); });
        EXPECT_EQ(std::string(e.what()), row.wanted);
        EXPECT_EQ(e.code(), ExitCode::usage);
    }
}

TEST_F(Cursor, OnlyRejectsUnknownFieldsAndLetsCommentsPass) {
    const std::vector<std::string> all{"id",   "ceilings", "sizes", "whole", "half",
                                       "huge", "big",      "on",    "none",  "list"};
    EXPECT_NO_THROW(root_.only(all));
    const Error e = error_of([&] { root_.at("ceilings").at(0).only({"name", "values"}); });
    EXPECT_EQ(std::string(e.what()),
              "gpus/h200.json:6: field 'ceilings[0].value': unknown field; did you mean 'values'?");
    EXPECT_TRUE(hints(e, "name, values"));
}

TEST(JsonDocumentTest, CursorsOfAMovedDocumentNameLines) {
    std::vector<JsonDocument> documents;
    for (int i = 0; i < 10; ++i) documents.emplace_back("{\n\"a\":\n 1}", "f");  // moves as it grows
    EXPECT_TRUE(says(error_of([&] { documents.front().root().at("a").string(); }), "f:2: field 'a'"));
}

TEST(Locate, FindsKeysAndElements) {
    const std::string text =
        "{\"a\": [1, {\"b\\\"\": \"}]\"}, [2, 3]],\n \"\": {\"0\": /* , */ true}, \"c/d\": 5}";
    const auto at = [&](const std::string& pointer) { return text.substr(locate_pointer(text, pointer)); };
    EXPECT_TRUE(at("").starts_with("{\"a\""));
    EXPECT_TRUE(at("/a").starts_with("\"a\""));
    EXPECT_TRUE(at("/a/0").starts_with("1,"));
    EXPECT_TRUE(at("/a/1/b\"").starts_with("\"b\\\""));
    EXPECT_TRUE(at("/a/2/1").starts_with("3]"));
    EXPECT_TRUE(at("/").starts_with("\"\":"));
    EXPECT_TRUE(at("//0").starts_with("\"0\""));
    EXPECT_TRUE(at("/c~1d").starts_with("\"c/d\""));
    // Where the pointer leads nowhere: the deepest part that exists.
    EXPECT_TRUE(at("/a/9").starts_with("\"a\""));
    EXPECT_TRUE(at("/a/2/x").starts_with("[2"));
    EXPECT_TRUE(at("/zzz/a").starts_with("{\"a\""));
}

TEST(Locate, NeverLeavesADamagedText) {
    const std::string text = "{\"a\": [1, {\"b\": \"x\\\"\"}, /* c */ 2], \"d\": 1}";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        const std::string part = text.substr(0, cut);
        for (const char* pointer : {"", "/a", "/a/1/b", "/a/2", "/d", "/x/y"}) {
            EXPECT_LE(locate_pointer(part, pointer), part.size());
        }
        EXPECT_LE(locate_key(part, 2), part.size());
    }
}

TEST(Locate, PlacesCountFromOne) {
    EXPECT_EQ(place_of("ab\nc", 0).line, 1U);
    EXPECT_EQ(place_of("ab\nc", 1).column, 2U);
    EXPECT_EQ(place_of("ab\nc", 3).line, 2U);
    EXPECT_EQ(place_of("ab\nc", 3).column, 1U);
    EXPECT_EQ(place_of("ab\nc", 999).line, 2U);
}

TEST(ReadFile, ReadsBytesAndNamesFaults) {
    const test::TempFolder folder;
    const std::string bytes = std::string("a\0b\r\n\xFF", 6) + std::string(200'000, 'x');
    EXPECT_EQ(read_file(folder.write("f", bytes)), bytes);
    EXPECT_EQ(read_file(folder.write("empty", "")), "");
    const Error missing = error_of([&] { read_file(folder / "none.json"); });
    EXPECT_EQ(missing.code(), ExitCode::usage);
    EXPECT_TRUE(says(missing, "none.json': No such file or directory"));
    EXPECT_TRUE(says(error_of([&] { read_file(folder.path()); }), "Is a directory"));
}

}  // namespace
}  // namespace kprof
