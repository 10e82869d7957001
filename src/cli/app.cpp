#include "cli/app.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "cli/interrupt.hpp"
#include "cli/terminal.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/strings.hpp"
#include "core/version.hpp"

namespace kprof::cli {

namespace {

std::string version_text() {
    std::string text =
        "kprof " + version() + " (" + build_commit() + ")\nlive collection: " + cuda_choice() + "\n";
    for (const std::string& line : runtime_versions()) text += line + "\n";
    return text;
}

// A result that did not reach its reader is no success: a full disk or a closed pipe behind stdout.
int flushed(int code) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return code;
    if (errno == EPIPE) return code;  // the reader has seen enough: head, a pager
    print_error(std::string("the output could not be written: ") + std::strerror(errno),
                "free some space where stdout goes to, or send it elsewhere");
    return code == 0 ? static_cast<int>(ExitCode::environment) : code;
}

}  // namespace

App::App() : root("kprof", "Tells what bounds a GPU kernel and what to change first.") {}

const ConfigStore& App::store() {
    if (!store_) store_ = std::make_unique<ConfigStore>(ConfigStore::open(config_dir));
    return *store_;
}

int run_app(int argc, const char* const* argv) {
    catch_interrupts();
    try {
        App app;
        for (int i = 1; i < argc; ++i) app.arguments.emplace_back(argv[i]);
        app.root.option("--config-dir", app.config_dir, "DIR",
                        "a folder of configs that add to or override the built-in ones");
        app.root.answer("--version", "print the version, how it was built, and what was found at run time",
                        version_text);
        app.root.examples({"kprof run gemm --shape 4096", "kprof run gemm --variant all",
                           "kprof diagnose profile.json", "kprof list kernels", "kprof explain tensor_cores",
                           "kprof doctor"});
        app.root.action([&]() -> int {
            fputs(app.root.help().c_str(), argc > 1 ? stderr : stdout);
            return static_cast<int>(argc > 1 ? ExitCode::usage : ExitCode::ok);
        });
        add_run(app);
        add_diagnose(app);
        add_list(app);
        add_explain(app);
        add_occupancy(app);
        add_ceilings(app);
        add_doctor(app);
        add_completion(app);
        return flushed(app.root.parse_and_run(argc, argv));
    } catch (const Error& e) {
        fflush(stdout);
        print_error(e.what(), e.hint());
        return static_cast<int>(e.code());
    } catch (const std::bad_alloc&) {
        print_error("out of host memory", "");
        return static_cast<int>(ExitCode::environment);
    } catch (const std::exception& e) {
        print_error(std::string("a defect in kprof: ") + e.what(),
                    "please report it with the command that you ran");
        return static_cast<int>(ExitCode::internal);
    }
}

}  // namespace kprof::cli
