#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof::cli {

struct Command::Impl {
    std::shared_ptr<CLI::App> root;  // owns the tree; set in the root only
    CLI::App* app = nullptr;
    std::vector<std::unique_ptr<Command>> children;
    std::map<const CLI::Option*, Words> words;
    std::vector<std::string> examples;
    std::function<int()> run;
};

namespace {

std::string examples_text(const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string text = "examples:";
    for (const std::string& line : lines) text += "\n  " + line;
    return text;
}

void common_settings(CLI::App& app) {
    app.get_formatter()->column_width(30);
    app.set_help_flag("-h,--help", "print this help and exit");
    app.option_defaults()->always_capture_default(false);
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* o : app.get_options())
        for (const std::string& n : o->get_lnames())
            if (!o->get_group().empty()) names.push_back("--" + n);
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* s : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(s->get_name());
    return names;
}

// The innermost subcommand that was reached before the error.
const CLI::App& reached(const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? app : reached(*parsed.back());
}

std::string full_name(const CLI::App& app);

// CLI11 names only the innermost command after "Usage:".
std::string help_of(const CLI::App& app) {
    std::string text = app.help();
    const std::string usage = "Usage: " + app.get_name();
    const std::size_t at = text.find(usage);
    return at == std::string::npos ? text : text.replace(at, usage.size(), "Usage: " + full_name(app));
}

std::string full_name(const CLI::App& app) {
    return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

}  // namespace

Command::Command(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Command::~Command() = default;

Command::Command(const std::string& name, const std::string& description) : impl_(std::make_unique<Impl>()) {
    impl_->root = std::make_shared<CLI::App>(description, name);
    impl_->app = impl_->root.get();
    common_settings(*impl_->app);
    impl_->app->require_subcommand(0, 1);
    impl_->app->fallthrough();
}

Command& Command::subcommand(const std::string& name, const std::string& description) {
    auto impl = std::make_unique<Impl>();
    impl->app = impl_->app->add_subcommand(name, description);
    common_settings(*impl->app);
    impl->app->fallthrough();
    impl_->children.push_back(std::unique_ptr<Command>(new Command(std::move(impl))));
    return *impl_->children.back();
}

void Command::flag(const std::string& names, bool& value, const std::string& help) {
    impl_->app->add_flag(names, value, help);
}

void Command::answer(const std::string& name, const std::string& help, std::function<std::string()> text) {
    impl_->app->set_version_flag(name, std::move(text))->description(help);
}

void Command::option(const std::string& names, std::string& value, const std::string& value_name,
                     const std::string& help, const Words& words) {
    auto* o = impl_->app->add_option(names, value, help)->type_name(value_name)->take_last();
    const std::string shown = names.substr(names.find("--"));
    o->check([shown](const std::string& text) {
        return text.empty() ? "'' is no value of " + shown : std::string();
    });
    if (words) impl_->words[o] = words;
}

void Command::hidden(const std::string& name, std::string& value) {
    impl_->app->add_option(name, value)->group("");
}

void Command::choice(const std::string& names, std::string& value, const std::vector<std::string>& choices,
                     const std::string& help) {
    auto* o = impl_->app->add_option(names, value, help)->type_name(join(choices, "|"))->take_last();
    impl_->words[o] = [choices] { return choices; };
    const std::string shown = names.substr(names.find("--"));
    o->check([choices, shown](const std::string& text) -> std::string {
        if (std::find(choices.begin(), choices.end(), text) != choices.end()) return {};
        return "'" + text + "' is no value of " + shown + "; it can be " + join(choices, ", ");
    });
}

void Command::list(const std::string& names, std::vector<std::string>& values, const std::string& value_name,
                   const std::string& help, const Words& words) {
    auto* o = impl_->app->add_option(names, values, help)
                  ->type_name(value_name)
                  ->delimiter(',')
                  ->expected(1)
                  ->take_all();
    if (words) impl_->words[o] = words;
}

void Command::integer(const std::string& names, int& value, int low, int high, const std::string& help) {
    auto* o = impl_->app->add_option(names, value, help)->type_name("N")->take_last();
    const std::string shown = names.substr(names.find("--"));
    o->check([low, high, shown](const std::string& text) -> std::string {
        int parsed = 0;
        if (CLI::detail::lexical_cast(text, parsed) && parsed >= low && parsed <= high) return {};
        return "'" + text + "' is no value of " + shown + "; it is a whole number from " +
               std::to_string(low) + " to " + std::to_string(high);
    });
}

void Command::positional(const std::string& name, std::string& value, bool required, const std::string& help,
                         const Words& words) {
    auto* o = impl_->app->add_option(name, value, help)->type_name("");
    if (required) o->required();
    if (words) impl_->words[o] = words;
}

void Command::positionals(const std::string& name, std::vector<std::string>& values, bool required,
                          const std::string& help) {
    auto* o = impl_->app->add_option(name, values, help)->type_name("");
    if (required) o->required();
}

void Command::examples(const std::vector<std::string>& lines) {
    impl_->examples = lines;
    impl_->app->footer(examples_text(lines));
}

void Command::action(std::function<int()> run) {
    impl_->run = std::move(run);
}

int Command::parse_and_run(int argc, const char* const* argv) {
    CLI::App& app = *impl_->app;
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        fputs(help_of(reached(app)).c_str(), stdout);
        return 0;
    } catch (const CLI::CallForVersion& e) {
        fputs(e.what(), stdout);
        return 0;
    } catch (const CLI::ExtrasError&) {
        const CLI::App& at = reached(app);
        const std::vector<std::string> extras = app.remaining(true);
        const std::string word = extras.empty() ? std::string() : extras.front();
        if (!word.empty() && word[0] == '-') {
            std::vector<std::string> known = option_names(at);
            for (const std::string& n : option_names(app)) known.push_back(n);
            throw usage_error(
                "unknown option '" + word + "'" + did_you_mean(word.substr(0, word.find('=')), known),
                full_name(at) + " --help");
        }
        if (&at == &app)
            throw usage_error("unknown command '" + word + "'" + did_you_mean(word, command_names(app)),
                              app.get_name() + " --help");
        throw usage_error("unexpected argument '" + word + "'", full_name(at) + " --help");
    } catch (const CLI::ParseError& e) {
        const CLI::App& at = reached(app);
        std::string what = e.what();
        // CLI11 puts "--option: " before what a check says; the checks name the option themselves.
        const std::size_t quote = what.find(": '");
        if (quote != std::string::npos && what.find("is no value of") != std::string::npos)
            what = what.substr(quote + 2);
        throw usage_error(what, full_name(at) + " --help");
    }
    const Command* chosen = this;
    for (bool deeper = true; deeper;) {
        deeper = false;
        for (const auto& child : chosen->impl_->children)
            if (child->impl_->app->parsed()) {
                chosen = child.get();
                deeper = true;
                break;
            }
    }
    if (chosen->impl_->run) return chosen->impl_->run();
    throw usage_error("no command given", app.get_name() + " --help");
}

std::string Command::help(const std::vector<std::string>& path) const {
    const CLI::App* app = impl_->app;
    for (const std::string& name : path) app = app->get_subcommand(name);
    return help_of(*app);
}

Command::Node Command::describe() const {
    Node node;
    node.name = impl_->app->get_name();
    node.description = impl_->app->get_description();
    node.examples = impl_->examples;
    for (const CLI::Option* o : impl_->app->get_options()) {
        if (o->get_group().empty()) continue;
        Node::Item item;
        for (const std::string& n : o->get_snames()) item.names.push_back("-" + n);
        for (const std::string& n : o->get_lnames()) item.names.push_back("--" + n);
        item.help = o->get_description();
        item.takes_value = o->get_items_expected_max() > 0;
        item.takes_file =
            o->get_type_name() == "FILE" || o->get_type_name() == "DIR" || o->get_name(true) == "FILE";
        const auto found = impl_->words.find(o);
        if (found != impl_->words.end()) item.words = found->second();
        (item.names.empty() ? node.positionals : node.options).push_back(std::move(item));
    }
    for (const auto& child : impl_->children) node.commands.push_back(child->describe());
    return node;
}

}  // namespace kprof::cli
