// One profile through the whole line: occupancy and facts, metrics, rooflines, diagnosis.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/report.hpp"

namespace kprof {
namespace {

// Facts that metrics use and that only the machine's limits can tell (metrics/catalogue.hpp).
Facts facts_from(const Analysed& a) {
    Facts facts;
    const int device_sms = a.profile.provenance.device.sm_count;
    const int sms = device_sms > 0 ? device_sms : (a.machine ? a.machine->sm_count : 0);
    if (sms > 0) facts["sm_count"] = sms;
    if (a.occupancy && a.occupancy->blocks_per_sm > 0) {
        facts["theoretical_occupancy"] = a.occupancy->fraction;
        facts["waves"] = a.occupancy->waves;
    }
    return facts;
}

// Our occupancy sum against the driver's: a difference is a finding about ourselves, so it is never silent.
void cross_check_occupancy(Analysed& a) {
    const std::optional<int> driver = a.profile.launch.driver_blocks_per_sm;
    if (!driver || !a.occupancy || a.occupancy->blocks_per_sm == *driver) return;
    if (!a.occupancy->problem.empty()) return;  // the launch itself is in doubt
    a.diagnosis.notes.push_back(fmt::format(
        "the driver says {} blocks fit on an SM, our sum says {}: kprof's limits for this GPU are "
        "wrong, and what it says about occupancy may be",
        *driver, a.occupancy->blocks_per_sm));
}

// More warps than the launch allows cannot have been measured: the launch, the device or a counter is not
// this kernel's.
void cross_check_measured(Analysed& a) {
    if (!a.occupancy) return;
    const auto achieved = a.metrics.find("occupancy_achieved");
    const bool measured = achieved != a.metrics.end() && achieved->second.ok();
    const Occupancy& o = *a.occupancy;
    if (!o.problem.empty() && (a.profile.time.ok() || measured) && a.profile.provenance.kind != "model") {
        a.diagnosis.notes.push_back(
            "this launch is impossible (" + o.problem +
            "), yet it was measured: the launch or the device in this profile is wrong");
        return;
    }
    // The tolerance of percentages that come from different passes.
    constexpr double tolerance = 1.02;
    // Of several kernels the mean over all was measured, and the launch is that of the longest.
    if (a.profile.launches > 1) return;
    const double possible = o.fraction * 100;
    if (!measured || achieved->second.value <= possible * tolerance + 0.5) return;
    a.diagnosis.notes.push_back(fmt::format(
        "an occupancy of {} was measured, but the launch allows {} at most (limit: {}): the launch "
        "or the device in this profile is wrong, or kprof's limits for this GPU are",
        format_percent(achieved->second.value, 1), format_percent(possible, 1), join(o.limiters, ", ")));
}

// Counters of a chip without a catalogue say nothing to us: that is not the same as no counters.
void say_unknown_counters(Analysed& a, const Catalogue& metrics) {
    const auto counted = [](const auto& named) { return named.second.ok(); };
    const auto read = std::count_if(a.profile.counters.begin(), a.profile.counters.end(), counted);
    if (read == 0) return;
    const std::set<std::string> known =
        metrics.all_counters_for({metrics.ids().begin(), metrics.ids().end()});
    const bool any = std::any_of(a.profile.counters.begin(), a.profile.counters.end(),
                                 [&](const auto& c) { return c.second.ok() && known.count(c.first) > 0; });
    if (any) return;
    const std::string& chip = a.profile.provenance.device.chip;
    const std::string what =
        fmt::format("{} counter{} read, none known for {}", read, read == 1 ? " was" : "s were",
                    chip.empty() ? "this GPU" : "the chip " + chip);
    Diagnosis& d = a.diagnosis;
    d.notes.push_back(what + ": describe " + (read == 1 ? "it" : "them") +
                      " in metrics/NAME.json of your config folder, or check the chip's name in the profile");
    // Diagnosis sees metrics only, so to it this is a kernel without counters.
    if (d.status != "not_measured" || a.profile.provenance.kind == "model") return;
    d.verdict = what + ": what bounds this kernel is open.";
    for (Step& step : d.steps) {
        if (step.state == StepState::not_measured) step.why = "no counter is known for this chip";
    }
}

// In front of what diagnosis has to say: what all of it rests on.
void say_doubts(Analysed& a) {
    if (!a.machine) return;
    std::vector<std::string>& notes = a.diagnosis.notes;
    notes.insert(notes.begin(), a.machine->doubts.begin(), a.machine->doubts.end());
}

// A wrong result outranks every other verdict, whatever the counters look like.
void hold_wrong(const KernelProfile& p, Diagnosis& d) {
    if (p.verification.status != "wrong" || d.status == "wrong_result") return;
    d.status = "wrong_result";
    d.rule.clear();
    d.at_limit.reset();
    d.findings.clear();
    d.verdict = "The kernel computes a wrong result; how fast it does so means nothing.";
    if (!p.verification.detail.empty()) d.notes.push_back(p.verification.detail);
}

Diagnosis not_analysed(const std::string& why, const std::string& hint, const RuleSet& rules) {
    Diagnosis d;
    d.status = "inconclusive";
    d.verdict = "This profile could not be analysed: " + why;
    if (!hint.empty()) d.notes.push_back(hint);
    for (const std::string& id : rules.ids()) {
        const RuleText rule = describe(rules, id);
        if (rule.step == 0) continue;
        Step step;
        step.step = rule.step;
        step.rule = id;
        step.title = rule.title;
        step.threshold = rule.threshold;
        step.unit = rule.unit;
        step.why = "the profile could not be analysed";
        const auto same = [&](const Step& s) { return s.step == step.step; };
        if (std::none_of(d.steps.begin(), d.steps.end(), same)) d.steps.push_back(std::move(step));
    }
    std::sort(d.steps.begin(), d.steps.end(), [](const Step& x, const Step& y) { return x.step < y.step; });
    return d;
}

}  // namespace

Analyser::Analyser(const ConfigStore& store, RuleSet rules) : store_(store), rules_(std::move(rules)) {}
Analyser::~Analyser() = default;

const Catalogue& Analyser::catalogue(const std::string& vendor, const std::string& chip) {
    const std::string key = vendor + "/" + chip;
    auto found = catalogues_.find(key);
    if (found == catalogues_.end()) {
        found = catalogues_.emplace(key, Catalogue::load(store_, vendor, chip)).first;
    }
    return found->second;
}

const std::optional<Machine>& Analyser::machine_of(const DeviceFacts& device) {
    for (const auto& [known, machine] : machines_) {
        if (known == device) return machine;
    }
    machines_.emplace_back(device, machine_for(store_, device));
    return machines_.back().second;
}

void Analyser::conclude(Analysed& a, const Catalogue& metrics) {
    const KernelProfile& p = a.profile;
    if (a.machine) a.occupancy = occupancy(p.launch, *a.machine);
    a.metrics = derive(p, metrics, facts_from(a));
    // The profile's own time has the spread over the repeats; a derived copy of it does not.
    if (p.time.ok()) {
        a.metrics.insert_or_assign("time", p.time);
    } else {
        a.metrics.emplace("time", p.time);
    }
    if (a.machine) a.placement = place(p, a.metrics, *a.machine);
    for (const Machine& other : what_if_) {
        std::string why_not;
        if (std::optional<RooflinePoint> point = what_if(p, other, &why_not)) {
            a.placement.points.push_back(std::move(*point));
        } else {
            a.placement.notes.push_back(other.id + ": " + why_not);
        }
    }
    DiagnosisInput input{p, a.metrics};
    input.machine = a.machine ? &*a.machine : nullptr;
    input.placement = &a.placement;
    input.occupancy = &a.occupancy;
    a.diagnosis = diagnose(input, rules_);
}

Analysed Analyser::analyse(KernelProfile p) {
    Analysed a;
    a.profile = std::move(p);
    const DeviceFacts& device = a.profile.provenance.device;
    a.machine = machine_of(device);
    const Catalogue& metrics = catalogue(device.vendor, device.chip);
    try {
        conclude(a, metrics);
    } catch (const Error& e) {
        a.diagnosis = not_analysed(e.what(), e.hint(), rules_);
    } catch (const std::exception& e) {
        a.diagnosis =
            not_analysed(e.what(), "this is a defect in kprof: please report it with the profile", rules_);
    }
    if (!metrics.note().empty()) a.diagnosis.notes.push_back(metrics.note());
    say_doubts(a);
    say_unknown_counters(a, metrics);
    cross_check_occupancy(a);
    cross_check_measured(a);
    hold_wrong(a.profile, a.diagnosis);
    return a;
}

}  // namespace kprof
