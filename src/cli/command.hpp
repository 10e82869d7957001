// A thin face of the option parser: only command.cpp includes CLI11, whose header costs 25 s of compile time
// in every file that sees it. A command has options, positionals, examples (shown in --help and executed by a
// test) and an action.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kprof::cli {

// Gives the words that may follow, for shell completion and for "did you mean".
using Words = std::function<std::vector<std::string>()>;

class Command {
  public:
    Command(const std::string& name, const std::string& description);  // the root
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    Command& subcommand(const std::string& name, const std::string& description);
    // A hidden option is not shown in help and not completed (the worker's).
    void flag(const std::string& names, bool& value, const std::string& help);
    // A flag that prints a text and ends the program, whatever else is on the command line.
    void answer(const std::string& name, const std::string& help, std::function<std::string()> text);
    void option(const std::string& names, std::string& value, const std::string& value_name,
                const std::string& help, const Words& words = {});
    void hidden(const std::string& name, std::string& value);
    void choice(const std::string& names, std::string& value, const std::vector<std::string>& choices,
                const std::string& help);
    void list(const std::string& names, std::vector<std::string>& values, const std::string& value_name,
              const std::string& help, const Words& words = {});
    void integer(const std::string& names, int& value, int low, int high, const std::string& help);
    void positional(const std::string& name, std::string& value, bool required, const std::string& help,
                    const Words& words = {});
    void positionals(const std::string& name, std::vector<std::string>& values, bool required,
                     const std::string& help);
    // Each line is a command; the help shows them under "examples:".
    void examples(const std::vector<std::string>& lines);
    void action(std::function<int()> run);

    // Parses and runs the chosen command's action; returns its exit code. --help and --version print to
    // stdout and give 0. A wrong command line throws Error(usage) with the nearest valid choice.
    int parse_and_run(int argc, const char* const* argv);
    std::string help(const std::vector<std::string>& path = {}) const;

    // What completion scripts are generated from.
    struct Node {
        std::string name, description;
        struct Item {
            std::vector<std::string> names;  // "--shape", "-v"; empty for a positional
            std::string help;
            bool takes_value = false;
            bool takes_file = false;
            std::vector<std::string> words;  // completions of the value
        };
        std::vector<Item> options;
        std::vector<Item> positionals;
        std::vector<Node> commands;
        std::vector<std::string> examples;
    };
    Node describe() const;

  private:
    struct Impl;
    explicit Command(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace kprof::cli
