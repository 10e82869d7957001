// kprof diagnose: verdicts from saved profiles, anywhere.
#include "cli/output.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/profile_json.hpp"

namespace kprof::cli {

namespace {

int diagnose_files(const std::vector<std::string>& files, const OutputOptions& options, App& app) {
    Output output(options, app);
    std::vector<KernelProfile> profiles;
    for (const std::string& file : files) {
        std::vector<KernelProfile> read =
            read_profiles(read_file(file == "-" ? "/dev/stdin" : file), file == "-" ? "stdin" : file);
        for (KernelProfile& p : read) profiles.push_back(std::move(p));
    }
    if (profiles.empty())
        throw Error(ExitCode::inconclusive,
                    "no kernel profile in " + (files.size() == 1 ? files.front() : "these files"),
                    "an empty capture says nothing about the kernel: measure again");
    Analyser analyser(app.store(), output.rules());
    output.add_what_ifs(analyser);
    Report report;
    report.command = app.arguments;
    for (KernelProfile& p : profiles) report.kernels.push_back(analyser.analyse(std::move(p)));
    return output.print_all(report);
}

}  // namespace

void add_diagnose(App& app) {
    Command& c = app.root.subcommand("diagnose", "verdicts from saved profiles, without a GPU");
    auto files = std::make_shared<std::vector<std::string>>();
    auto out = std::make_shared<OutputOptions>();
    c.positionals("FILE", *files, true, "profile or report files written by kprof; - is stdin");
    out->add_to(c, app);
    c.examples({"kprof diagnose profile.json", "kprof diagnose profile.json -v",
                "kprof diagnose profile.json --threshold tensor_cores=40 --json -"});
    c.action([files, out, &app] { return diagnose_files(*files, *out, app); });
}

}  // namespace kprof::cli
