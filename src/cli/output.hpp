// The output options that run and diagnose share, and the one place that turns a report into what was asked
// for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/app.hpp"
#include "core/output_file.hpp"
#include "report/report.hpp"

namespace kprof::cli {

struct OutputOptions {
    std::string json, profile;            // file paths, "-" for stdout
    std::vector<std::string> gpus;        // what-if machines
    std::vector<std::string> thresholds;  // "rule=value"
    std::string colour = "auto";
    bool quiet = false, verbose = false, ascii = false;
    int width = 0;  // 0: the terminal's

    void add_to(Command& command, App& app);
};

// Opens the output files at once, so that a wrong path fails before anything is measured.
class Output {
  public:
    Output(const OutputOptions& options, App& app);

    // Rules with the thresholds of the command line.
    RuleSet rules() const;
    void add_what_ifs(Analyser& analyser) const;
    // Prints one kernel's screen now (unless JSON goes to stdout) and writes the files anew with all kernels
    // so far: what was measured survives whatever happens next.
    void kernel(const Report& so_far, const std::string& source_note);
    // After the last: the summary where there are several. Returns the exit code that the report earns.
    int finish(const Report& report);
    // All kernels of a report at once: the screens, then finish().
    int print_all(const Report& report);
    bool text_on_stdout() const { return json_path_ != "-" && profile_path_ != "-"; }

  private:
    void print_kernel(const Analysed& a, bool first, const std::string& source_note);
    // Files are written anew after each kernel; a stream gets its one document at the end.
    void write_files(const Report& report, bool last);

    const OutputOptions& options_;
    App& app_;
    std::string json_path_, profile_path_;
    std::optional<OutputFile> json_, profile_;
    TextOptions text_;
    std::string source_note_;  // of the last kernel, for the table at the end
};

// GPU ids of configs/gpus, rule ids: for completion.
std::vector<std::string> gpu_ids(App& app);
std::vector<std::string> rule_ids(App& app);

}  // namespace kprof::cli
