// One profile through the whole line: occupancy and facts, metrics, rooflines, diagnosis.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
    a.diagnosis.notes.push_back(
        fmt::format("the driver says {} blocks fit on an SM, our sum says {}: what is said about occupancy "
                    "may be wrong, and "
                    "kprof's SM limits for this GPU are",
                    *driver, a.occupancy->blocks_per_sm));
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
    cross_check_occupancy(a);
    hold_wrong(a.profile, a.diagnosis);
    return a;
}

}  // namespace kprof
