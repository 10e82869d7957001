// kprof ceilings: measures this GPU's real roofs, shows them beside the published ones, and saves them.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "ceilings/measure.hpp"
#include "ceilings/save.hpp"
#include "cli/app.hpp"
#include "cli/ceilings_view.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/strings.hpp"
#include "roofline/judge.hpp"

namespace kprof::cli {

namespace {

struct CeilingsCommand {
    std::string gpu, json;
    std::vector<std::string> only;
    int device = 0;
    bool quick = false, save = false, no_save = false, verbose = false;
};

void check_options(const CeilingsCommand& o) {
    if (o.save && o.no_save) throw usage_error("--save and --no-save together", "leave one of them out");
    const bool measures = o.save || o.no_save || o.quick || !o.only.empty() || o.device != 0;
    if (!o.gpu.empty() && measures)
        throw usage_error("--gpu shows roofs that were measured before; the other options measure",
                          "kprof ceilings --gpu h200, or kprof ceilings without --gpu");
    const std::vector<std::string>& words = ceiling_words();
    for (const std::string& word : o.only) {
        if (std::find(words.begin(), words.end(), word) == words.end())
            throw usage_error("'" + printable(word) + "' is no roof" + did_you_mean(word, words),
                              "--only takes " + join(words, ", "));
    }
}

std::string screen(const Machine& machine, const MeasuredSection& s, const std::string& head, bool verbose,
                   const std::vector<std::string>& notes) {
    const int width = stdout_is_terminal() ? std::max(terminal_width(), 100) : 10'000;
    std::string text = head + "\n\n";
    if (!s.ceilings.empty()) text += ceilings_table(machine, s.ceilings).text(width);
    const std::string launch = launch_line(s.launch);
    if (!launch.empty()) text += "\n" + launch + "\n";
    if (verbose && !s.working_sets.empty()) text += "\n" + working_sets_table(s.working_sets).text(width);
    for (const std::string& note : notes) text += "\nnote: " + note;
    if (!notes.empty()) text += "\n";
    return text;
}

// stdout, unless the JSON goes there.
void print(const CeilingsCommand& o, const std::string& text) {
    if (o.json == "-") return;
    fputs((locale_is_ascii() ? to_ascii(text) : text).c_str(), stdout);
}

int show_saved(const CeilingsCommand& o, App& app) {
    const Machine machine = load_machine(app.store(), lower(trim(o.gpu)));
    MeasuredSection s;
    s.date = machine.measured_date;
    s.gpu = machine.measured_gpu;
    s.driver = machine.measured_driver;
    s.ceilings = machine.measured;
    s.launch = machine.launch;
    s.working_sets = machine.working_sets;
    if (s.empty())
        throw environment_error("no roofs of the " + machine.name + " were measured yet",
                                "run kprof ceilings on a machine that has one; kprof explain " + machine.id +
                                    " shows the published roofs");
    std::optional<OutputFile> file;
    if (!o.json.empty()) file.emplace(o.json);
    const std::vector<std::string> notes = suspect_notes(machine, s.ceilings);
    print(o, screen(machine, s,
                    machine.name + ", measured " + s.date + " on " + s.gpu +
                        (s.driver.empty() ? "" : ", driver " + s.driver),
                    o.verbose, notes));
    if (file) file->commit(ceilings_json(machine, s, notes, "").dump(2) + "\n");
    return 0;
}

CeilingRun measured(const CeilingsCommand& o) {
    Progress progress(true);
    CeilingOptions options;
    options.device = o.device;
    options.quick = o.quick;
    options.only = o.only;
    options.cancelled = interrupted;
    options.progress = [&progress](const std::string& what) { progress.show("measuring " + what); };
    return measure_ceilings(options);
}

int measure(const CeilingsCommand& o, App& app) {
    std::optional<OutputFile> file;
    if (!o.json.empty()) file.emplace(o.json);
    const ConfigStore& store = app.store();  // a broken config is found before anything is measured
    CeilingRun run = measured(o);
    MeasuredSection& s = run.section;
    if (s.empty()) {
        if (run.interrupted) throw Error(ExitCode::inconclusive, "interrupted before anything was measured");
        throw environment_error("nothing could be measured: " + join(run.notes, "; "), "kprof doctor");
    }
    const std::optional<Machine> known = machine_for(store, run.device);
    if (!known) throw environment_error("the driver does not say what this GPU is", "kprof doctor");
    const Machine& machine = *known;
    for (Ceiling& c : s.ceilings) c.suspect = judge(c, machine).suspect;

    std::vector<std::string> notes = machine.doubts;
    notes.insert(notes.end(), run.notes.begin(), run.notes.end());
    for (std::string& note : suspect_notes(machine, s.ceilings)) notes.push_back(std::move(note));
    if (run.interrupted) notes.emplace_back("interrupted: roofs that are missing here were not measured");
    SavedCeilings saved;
    // A quick look has too much spread to be held against kernels, unless asked for.
    if (o.save || (!o.no_save && !o.quick))
        saved = save_ceilings(user_config_folder(), machine, s, run.device.name);
    notes.insert(notes.end(), saved.notes.begin(), saved.notes.end());

    std::string text =
        screen(machine, s, machine.name + (s.driver.empty() ? "" : ", driver " + s.driver), o.verbose, notes);
    if (!saved.path.empty()) text += "\nsaved to " + saved.path + "; reports show both roofs from now on\n";
    print(o, text);
    if (file) file->commit(ceilings_json(machine, s, notes, saved.path).dump(2) + "\n");
    return static_cast<int>(run.interrupted ? ExitCode::inconclusive : ExitCode::ok);
}

}  // namespace

void add_ceilings(App& app) {
    Command& c = app.root.subcommand("ceilings", "measure this GPU's real roofs and save them");
    auto o = std::make_shared<CeilingsCommand>();
    c.option("--gpu", o->gpu, "GPU", "show what was measured before on such a GPU; nothing is run",
             [&app] { return gpu_ids(app); });
    c.integer("--device", o->device, 0, 1023, "the GPU's number");
    c.list("--only", o->only, "ROOF", "only these: " + join(ceiling_words(), ", "),
           [] { return ceiling_words(); });
    c.flag("--quick", o->quick, "fewer repeats, for a look; saved with --save only");
    c.flag("--save", o->save, "save into gpus/GPU.json of your config folder (the default)");
    c.flag("--no-save", o->no_save, "measure only");
    c.flag("-v,--verbose", o->verbose, "bandwidth of every working set too");
    c.option("--json", o->json, "FILE", "write everything as JSON; - is stdout");
    c.examples({"kprof ceilings", "kprof ceilings --only dram,l2 --no-save",
                "kprof ceilings --quick --json -", "kprof ceilings --gpu h200"});
    c.action([o, &app]() -> int {
        check_options(*o);
        return o->gpu.empty() ? measure(*o, app) : show_saved(*o, app);
    });
}

}  // namespace kprof::cli
