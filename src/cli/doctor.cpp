// kprof doctor: can this machine be profiled, and if not, exactly what to change.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/app.hpp"
#include "cli/terminal.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof::cli {

namespace {

const char* mark(const std::string& state) {
    if (state == "ok") return "✓";
    if (state == "bad") return "✗";
    return state == "warning" ? "!" : "–";
}

std::string as_text(const std::vector<Check>& checks) {
    std::string out;
    const std::size_t width = static_cast<std::size_t>(terminal_width());
    for (const Check& c : checks) {
        std::string left = std::string(mark(c.state)) + " " + pad_right(c.name, 22);
        for (const std::string& line : wrap(c.detail, width - 24)) {
            out += left + line + "\n";
            left = std::string(24, ' ');
        }
        for (const std::string& line : split(c.remedy, '\n'))
            out += std::string(24, ' ') + "→ " + line + "\n";
    }
    return out;
}

}  // namespace

void add_doctor(App& app) {
    Command& c =
        app.root.subcommand("doctor", "can this machine be profiled, and if not, exactly what to change");
    auto json = std::make_shared<bool>(false);
    c.flag("--json", *json, "as JSON");
    c.examples({"kprof doctor", "kprof doctor --json"});
    c.action([json]() -> int {
        const std::vector<Check> checks = doctor_checks();
        bool good = true;
        for (const Check& check : checks) good = good && check.state != "bad";
        if (*json) {
            nlohmann::json array = nlohmann::json::array();
            for (const Check& check : checks)
                array.push_back({{"name", check.name},
                                 {"state", check.state},
                                 {"detail", printable(check.detail)},
                                 {"remedy", check.remedy}});
            fputs((nlohmann::json{{"usable", good}, {"checks", array}}.dump(2) + "\n").c_str(), stdout);
        } else {
            std::string text = as_text(checks) + "\n" +
                               (good ? "This machine can be profiled.\n"
                                     : "Live profiling is not possible here; recordings, saved profiles and "
                                       "the model work.\n");
            fputs((locale_is_ascii() ? to_ascii(text) : text).c_str(), stdout);
        }
        return static_cast<int>(good ? ExitCode::ok : ExitCode::environment);
    });
}

}  // namespace kprof::cli
