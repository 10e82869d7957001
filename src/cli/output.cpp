#include "cli/output.hpp"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/profile_json.hpp"
#include "core/strings.hpp"

namespace kprof::cli {

void OutputOptions::add_to(Command& c, App& app) {
    c.list("--gpu", gpus, "GPU", "place the same kernel on these GPUs as well (what-if)",
           [&app] { return gpu_ids(app); });
    c.list("--threshold", thresholds, "RULE=VALUE", "use another threshold for a rule", [&app] {
        std::vector<std::string> words = rule_ids(app);
        for (std::string& w : words) w += "=";
        return words;
    });
    c.option("--json", json, "FILE", "write the report as JSON; - is stdout");
    c.option("--profile", profile, "FILE", "write the measured profiles, to diagnose later; - is stdout");
    c.flag("-q,--quiet", quiet, "print only the verdict line");
    c.flag("-v,--verbose", verbose, "print every metric as well");
    c.flag("--ascii", ascii, "plain ASCII");
    c.choice("--color", colour, {"auto", "always", "never"}, "colour the text");
    c.integer("--width", width, 60, 400, "columns of the text (default: the terminal's, else 80)");
}

// "./x.json" and "x.json" are one file.
static std::string resolved(const std::string& path) {
    std::error_code ignored;
    const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
    return ignored ? path : whole.string();
}

Output::Output(const OutputOptions& options, App& app)
    : options_(options), app_(app), json_path_(options.json), profile_path_(options.profile) {
    if (options.quiet && options.verbose)
        throw usage_error("--quiet and --verbose exclude each other", "give one of them");
    if (json_path_ == "-" && profile_path_ == "-")
        throw usage_error("--json - and --profile - both write to stdout", "give one of them a file name");
    if (!json_path_.empty() && resolved(json_path_) == resolved(profile_path_))
        throw usage_error("--json and --profile name the same file '" + json_path_ + "'",
                          "give them different names");
    if (!json_path_.empty()) json_.emplace(json_path_);
    if (!profile_path_.empty()) profile_.emplace(profile_path_);
    text_.width = options.width > 0 ? options.width : terminal_width();
    text_.ascii = options.ascii || locale_is_ascii();
    text_.colour = use_colour(options.colour);
    text_.verbosity = options.quiet ? -1 : options.verbose ? 1 : 0;
}

RuleSet Output::rules() const {
    RuleSet rules = RuleSet::load(app_.store());
    for (const std::string& t : options_.thresholds) rules.override_threshold(t);
    return rules;
}

void Output::add_what_ifs(Analyser& analyser) const {
    for (const std::string& id : options_.gpus)
        analyser.add_what_if(load_machine(app_.store(), lower(trim(id))));
}

void Output::write_files(const Report& report, bool last) {
    if (json_ && (last || !json_->is_stream())) json_->commit(report_json(report).dump(2) + "\n");
    if (!profile_ || (!last && profile_->is_stream())) return;
    std::vector<KernelProfile> profiles;
    profiles.reserve(report.kernels.size());
    for (const Analysed& a : report.kernels) profiles.push_back(a.profile);
    profile_->commit(write_profiles(profiles));
}

void Output::print_kernel(const Analysed& a, bool first, const std::string& source_note) {
    if (!text_on_stdout()) return;
    TextOptions o = text_;
    o.source_note = source_note;
    std::string text = text_kernel(a, app_.store(), o);
    if (!first && text_.verbosity >= 0) text = "\n" + text;
    fputs(text.c_str(), stdout);
    fflush(stdout);
}

void Output::kernel(const Report& so_far, const std::string& source_note) {
    source_note_ = source_note;
    // A series is one table at the end; -v and -q show its kernels one by one as well.
    if (!so_far.series || text_.verbosity != 0)
        print_kernel(so_far.kernels.back(), so_far.kernels.size() == 1, source_note);
    write_files(so_far, false);
}

int Output::print_all(const Report& report) {
    for (const Analysed& a : report.kernels) print_kernel(a, &a == &report.kernels.front(), "");
    return finish(report);
}

int Output::finish(const Report& report) {
    const bool series = report.series.has_value();
    if (text_on_stdout() && (report.kernels.size() > 1 || series) && text_.verbosity >= 0) {
        const bool first = series && text_.verbosity == 0;
        TextOptions o = text_;
        if (first) o.source_note = source_note_;
        fputs(((first ? "" : "\n") + text_summary(report, o)).c_str(), stdout);
    }
    write_files(report, true);
    return static_cast<int>(exit_of(report));
}

std::vector<std::string> gpu_ids(App& app) {
    std::vector<std::string> ids;
    for (const std::string& path : app.store().list("gpus"))
        ids.push_back(std::filesystem::path(path).stem().string());
    return ids;
}

std::vector<std::string> rule_ids(App& app) {
    return RuleSet::load(app.store()).ids();
}

}  // namespace kprof::cli
