// The command tree: root options, and one file per subcommand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "core/config_store.hpp"

namespace kprof::cli {

// What every command sees.
struct App {
    std::vector<std::string> arguments;  // as typed, without argv[0]
    std::string config_dir;              // --config-dir
    Command root;

    App();
    // Opened at first use: `--help` and completion need no configs.
    const ConfigStore& store();

  private:
    std::unique_ptr<ConfigStore> store_;
};

void add_run(App& app);
void add_diagnose(App& app);
void add_list(App& app);
void add_explain(App& app);
void add_occupancy(App& app);
void add_ceilings(App& app);
void add_doctor(App& app);
void add_completion(App& app);

// The whole program but for argv: returns the exit code and prints every error in one form.
int run_app(int argc, const char* const* argv);

}  // namespace kprof::cli
