// diagnose(): profile + metrics + placement + machine + rules -> Diagnosis. Pure; it never calls collection:
// what it lacks it names in Diagnosis::wanted, and the command asks for it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "core/profile.hpp"
#include "diagnosis/diagnosis.hpp"
#include "roofline/machine.hpp"
#include "roofline/occupancy.hpp"
#include "roofline/place.hpp"

namespace kprof {

struct RuleDef;

class RuleSet {
  public:
    // configs/rules/*.json and configs/model/*.json. Throws Error(usage) naming file, line and field.
    static RuleSet load(const ConfigStore& store);
    RuleSet(RuleSet&&) noexcept;
    RuleSet& operator=(RuleSet&&) noexcept;
    ~RuleSet();

    std::vector<std::string> ids() const;
    const RuleDef* find(const std::string& id) const;
    // "tensor_cores=40" or "tensor_cores.threshold=40"; an unknown rule or a text that is no number:
    // Error(usage).
    void override_threshold(const std::string& assignment);
    // Metric ids that the rules and the bound model read (all of them; the first stage is views/stages.json).
    std::set<std::string> metrics_used() const;

    struct Impl;
    const Impl& impl() const { return *impl_; }

  private:
    RuleSet();
    std::unique_ptr<Impl> impl_;
};

struct DiagnosisInput {
    const KernelProfile& profile;
    const MetricSet& metrics;
    const Machine* machine = nullptr;  // may be unknown
    const Placement* placement = nullptr;
    const std::optional<Occupancy>* occupancy = nullptr;
};

Diagnosis diagnose(const DiagnosisInput& input, const RuleSet& rules);

// For `kprof explain` and `kprof list rules`: a rule for people.
struct RuleText {
    std::string id, title, explains, applies, fails, source, advice;
    std::optional<double> threshold;
    std::string unit;
    int step = 0;
    bool leads = true;  // gives its step the name; false: a second rule of the step (tensor_starved)
};
RuleText describe(const RuleSet& rules, const std::string& id);

}  // namespace kprof
