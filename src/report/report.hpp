// Report: profiles with everything that was concluded from them; views only format it.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config_store.hpp"
#include "core/profile.hpp"
#include "diagnosis/diagnose.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/derive.hpp"
#include "plot/scene.hpp"
#include "roofline/machine.hpp"
#include "roofline/occupancy.hpp"
#include "roofline/place.hpp"

namespace kprof {

struct Analysed {
    KernelProfile profile;
    MetricSet metrics;
    std::optional<Machine> machine;  // the one it was measured on
    std::optional<Occupancy> occupancy;
    Placement placement;
    Diagnosis diagnosis;
};

// What stands beside a kernel that is read together with others (series.hpp).
struct SeriesRow {
    std::string label;     // "naive"; "2048x2048x2048"; "QKV projection"
    std::string expected;  // ladder: the finding that the variant was built to show
    std::string mends;     // ladder: the variant whose fault this one lacks; empty when there is none
    double count = 1;      // layer: how often it runs
};
struct Series {
    std::string kind;             // ladder | sweep | layer
    std::string title;            // "gemm · 4096x4096x4096"
    std::vector<SeriesRow> rows;  // one a kernel of the report, in its order
    std::vector<std::string> notes;
    std::vector<std::string> left_out;  // what was asked for and is not among the kernels, with the reason
    double launch_ns = 0;               // layer: what a launch costs, to tell small kernels
};

struct Report {
    std::vector<Analysed> kernels;
    std::vector<std::string> command;   // as typed
    std::optional<Series> series = {};  // the kernels are the ladder of a family, a sweep or a model's layer
};

// Everything that analysis needs and that does not change from profile to profile; loads lazily and keeps.
class Analyser {
  public:
    Analyser(const ConfigStore& store, RuleSet rules);
    ~Analyser();
    // Machines for what-if placements (--gpu).
    void add_what_if(const Machine& m) { what_if_.push_back(m); }
    // Derives, places and diagnoses. A broken config is an Error; what goes wrong with this profile alone is
    // a diagnosis that says so, and the next profile goes on.
    Analysed analyse(KernelProfile p);
    const Catalogue& catalogue(const std::string& vendor, const std::string& chip);
    const RuleSet& rules() const { return rules_; }
    const ConfigStore& store() const { return store_; }

  private:
    const std::optional<Machine>& machine_of(const DeviceFacts& device);
    void conclude(Analysed& a, const Catalogue& metrics);

    const ConfigStore& store_;
    RuleSet rules_;
    std::vector<Machine> what_if_;
    std::map<std::string, Catalogue> catalogues_;
    std::vector<std::pair<DeviceFacts, std::optional<Machine>>> machines_;
};

struct TextOptions {
    int width = 80;
    bool ascii = false, colour = false;
    int verbosity = 0;  // -1: -q only the verdict line; 1: -v all metrics
    // Why the numbers come from a recording or a model ("no usable GPU here: ..."): said in the first line.
    std::string source_note;
};
std::string text_report(const Report& r, const ConfigStore& store, const TextOptions& o);
std::string text_kernel(const Analysed& a, const ConfigStore& store, const TextOptions& o);
// The table of several kernels, one line each; of a series with its own columns and all points on one
// roofline.
std::string text_summary(const Report& r, const TextOptions& o);
std::string text_series(const Report& r, const TextOptions& o);

// The report of docs (configs/schema/report.schema.json): profiles with the analysis added, readable by
// read_profiles(). Never NaN or infinity: what is missing is null with a status.
nlohmann::json report_json(const Report& r);

// The exit code a report earns: any wrong result 6; else any kernel without a trustworthy verdict (not
// measured, failed, inconclusive, above its roof) or no kernel at all 4; else 0. A kernel too small for a
// verdict was run and timed: 0. A model has no counters to miss: 0.
ExitCode exit_of(const Report& r);

}  // namespace kprof
