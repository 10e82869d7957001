// The metric catalogue: id, unit, meaning, and formulas over raw counters, per chip. Data in
// configs/metrics/*.json; the file format is described at the head of configs/metrics/common.json.
//
// A metric has one or more alternatives, best first. The first that applies and whose inputs are all
// available is used; alternatives after the first say in `because` what makes them weaker (a bound, a cheaper
// counter), and that goes into Measurement::reason. Inputs of a formula: raw counters (names with "__"),
// other metric ids, and facts (fact_names()). A metric's own id in its formulas means the fact of that name
// ("waves").
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "core/measurement.hpp"
#include "core/profile.hpp"
#include "metrics/formula.hpp"

namespace kprof {

struct MetricAlternative {
    Formula formula;
    std::optional<Formula> when;  // used only where this is not zero; empty: always
    std::string because;          // empty for the first choice
    std::optional<Origin>
        origin;            // empty: that of the inputs (imported before model before counter before timer)
    bool collect = false;  // the alternative whose counters are asked for first; none marked: the first
};

// A test with the sentence that explains its outcome.
struct MetricCondition {
    Formula formula;
    std::string because;
};

struct MetricDef {
    std::string id, title, unit, description, source;
    std::string group;  // "time", "memory", "compute", "occupancy", "stalls", ... (order of -v)
    std::vector<MetricAlternative> alternatives;
    std::string unsupported_because;         // set when this chip has no such counter
    std::vector<MetricCondition> undefined;  // not zero: the metric has no meaning for this kernel (failed)
    std::vector<MetricCondition> sane;  // zero: the value cannot be true (failed); its own id is the value
    std::optional<double> max;          // above: impossible (failed); percentages have 102 by default
    std::optional<double> clip;         // between clip and max: set to clip, and the reason says so
};

// Facts that formulas may use besides counters and metrics: what facts_of() (derive.hpp) takes from the
// profile, and theoretical_occupancy (0..1) and waves, which the caller adds. Sorted.
const std::vector<std::string>& fact_names();

class Catalogue {
  public:
    // The catalogue of a chip ("GH100"); `extends` chains are resolved. An unknown chip gets the vendor's
    // common part ("nvidia"), and `note()` says so. A broken file is an Error(usage) naming file, line and
    // field: unknown keys and names, cycles, a metric without title, unit, group, description or source.
    static Catalogue load(const ConfigStore& store, const std::string& vendor, const std::string& chip);

    const MetricDef* find(const std::string& id) const;
    const std::vector<std::string>& ids() const { return order_; }  // catalogue order
    const std::string& note() const { return note_; }
    // Raw counters that these metrics need, recursively: of the alternative marked "collect", else of the
    // first. Unknown ids: Error(usage).
    std::set<std::string> counters_for(const std::set<std::string>& metric_ids) const;
    // As above for every alternative: what may be asked for at all.
    std::set<std::string> all_counters_for(const std::set<std::string>& metric_ids) const;
    // What to collect next, given what `p` has and `metrics` (the result of derive() on it): counters_for(),
    // and for a metric that has all of these and still no value the counters of its next alternative that can
    // succeed (a costlier one, such as access widths). Never a counter that `p` has an entry for.
    std::set<std::string> next_counters(const std::set<std::string>& metric_ids, const KernelProfile& p,
                                        const MetricSet& metrics) const;

  private:
    const MetricDef& get(const std::string& id) const;
    void add_counters(const std::string& id, bool every_alternative, std::set<std::string>& counters,
                      std::set<std::string>& seen) const;
    void add_names(const MetricDef& def, const std::vector<std::string>& names, bool every_alternative,
                   std::set<std::string>& counters, std::set<std::string>& seen) const;
    std::set<std::string> next_for(const std::string& id, const KernelProfile& p, const MetricSet& metrics,
                                   std::set<std::string>& seen) const;

    std::map<std::string, MetricDef> metrics_;
    std::vector<std::string> order_;
    std::string note_;
};

// A raw counter is told from metric ids and facts by the double underscore of its name.
bool is_counter(const std::string& name);

}  // namespace kprof
