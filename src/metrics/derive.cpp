#include "metrics/derive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/strings.hpp"

namespace kprof {

namespace {

constexpr std::size_t max_names_in_reason = 3;

// How far a missing value is from being had: the smallest is the one to ask for.
int severity(Status status) {
    switch (status) {
        case Status::ok:
            return 0;
        case Status::not_collected:
            return 1;
        case Status::failed:
            return 2;
        case Status::unsupported:
            return 3;
    }
    return 3;
}

// Which origin a result has when its inputs differ: the weakest claim wins.
int weight(Origin origin) {
    switch (origin) {
        case Origin::timer:
            return 0;
        case Origin::counter:
            return 1;
        case Origin::model:
            return 2;
        case Origin::imported:
            return 3;
    }
    return 3;
}

struct Fault {
    Status status = Status::not_collected;
    std::string reason;
};

void add_once(std::vector<std::string>& texts, const std::string& text) {
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

class Derivation {
  public:
    Derivation(const KernelProfile& p, const Catalogue& catalogue, Facts facts)
        : profile_(p), catalogue_(catalogue), facts_(std::move(facts)) {}

    MetricSet run() && {
        for (const auto& id : catalogue_.ids()) metric(id);
        return std::move(results_);
    }

  private:
    // Recursion ends: Catalogue::load() rejects cycles.
    const Measurement& metric(const std::string& id) {
        const auto it = results_.find(id);
        if (it != results_.end()) return it->second;
        Measurement m = compute(*catalogue_.find(id));
        return results_.emplace(id, std::move(m)).first->second;
    }

    const Measurement* input_metric(const std::string& name, const MetricDef& def) {
        if (is_counter(name) || name == def.id || catalogue_.find(name) == nullptr) return nullptr;
        return &metric(name);
    }

    std::optional<double> value_of(const std::string& name, const MetricDef& def) {
        if (is_counter(name)) {
            const auto it = profile_.counters.find(name);
            if (it == profile_.counters.end() || !std::isfinite(it->second.value)) return std::nullopt;
            return it->second.get();
        }
        if (const Measurement* m = input_metric(name, def)) return m->get();
        const auto fact = facts_.find(name);
        return fact == facts_.end() ? std::nullopt : std::optional<double>(fact->second);
    }

    Formula::Result evaluate(const Formula& formula, const MetricDef& def,
                             std::optional<double> own = std::nullopt) {
        return formula.evaluate(
            [&](const std::string& name) { return own && name == def.id ? own : value_of(name, def); });
    }

    Fault why_missing(const std::string& name, const MetricDef& def) {
        if (is_counter(name)) {
            const auto it = profile_.counters.find(name);
            if (it == profile_.counters.end()) return {Status::not_collected, name + " was not collected"};
            if (it->second.ok()) return {Status::failed, name + " is not a finite number"};
            return {
                it->second.status,
                name + ": " + (it->second.reason.empty() ? to_string(it->second.status) : it->second.reason)};
        }
        if (const Measurement* m = input_metric(name, def)) return {m->status, m->reason};
        if (name == "time_ns" && !profile_.time.ok()) {
            const std::string& reason = profile_.time.reason;
            return {profile_.time.status,
                    "time: " + (reason.empty() ? to_string(profile_.time.status) : reason)};
        }
        return {Status::not_collected, name + " is not known"};
    }

    Fault fault_of(const std::vector<std::string>& missing, const MetricDef& def) {
        Fault worst;
        std::vector<std::string> reasons;
        for (const auto& name : missing) {
            const Fault fault = why_missing(name, def);
            if (severity(fault.status) > severity(worst.status)) {
                worst.status = fault.status;
                reasons.clear();
            }
            if (fault.status == worst.status) add_once(reasons, fault.reason);
        }
        if (reasons.size() > max_names_in_reason) {
            const auto more = reasons.size() - max_names_in_reason;
            reasons.resize(max_names_in_reason);
            reasons.push_back(fmt::format("and {} more", more));
        }
        worst.reason = join(reasons, "; ");
        return worst;
    }

    Measurement compute(const MetricDef& def) {
        if (!def.unsupported_because.empty()) {
            return Measurement::missing(def.id, def.unit, Status::unsupported, def.unsupported_because);
        }
        for (const auto& condition : def.undefined) {
            const auto met = evaluate(condition.formula, def).value;
            if (met && *met != 0) {
                return Measurement::missing(def.id, def.unit, Status::failed, condition.because);
            }
        }
        std::optional<Fault> nearest_fault;
        std::vector<std::string>
            failures;  // what was measured and went wrong explains more than what was not
        const auto remember = [&](Fault fault) {
            if (fault.status == Status::failed) add_once(failures, fault.reason);
            if (!nearest_fault || severity(fault.status) < severity(nearest_fault->status)) {
                nearest_fault = std::move(fault);
            }
        };
        for (const auto& alternative : def.alternatives) {
            if (alternative.when) {
                const auto test = evaluate(*alternative.when, def);
                if (!test.missing.empty()) remember(fault_of(test.missing, def));
                if (!test.value || *test.value == 0) continue;
            }
            const auto result = evaluate(alternative.formula, def);
            if (result.value) return checked(def, describe(def, alternative, *result.value));
            if (result.not_finite) {
                remember({Status::failed, "no finite number: " + alternative.formula.text()});
            } else {
                remember(fault_of(result.missing, def));
            }
        }
        if (!nearest_fault)
            nearest_fault = Fault{Status::failed, "none of its formulas applies to this kernel"};
        add_once(failures, nearest_fault->reason);
        return Measurement::missing(def.id, def.unit, nearest_fault->status, join(failures, "; "));
    }

    // A value with its origin, its spread, and in words what it rests on.
    Measurement describe(const MetricDef& def, const MetricAlternative& alternative, double value) {
        Measurement m = Measurement::of(def.id, value, def.unit, Origin::model);
        std::vector<std::string> names = alternative.formula.names();
        if (alternative.when) {
            names.insert(names.end(), alternative.when->names().begin(), alternative.when->names().end());
        }
        std::optional<Origin> origin;
        std::vector<std::string> reasons;
        add_once(reasons, alternative.because);
        for (const auto& name : names) {
            Origin input_origin = Origin::model;  // facts of the launch and of the kernel's definition
            const Measurement* input = input_metric(name, def);
            if (input != nullptr && !input->reason.empty()) add_once(reasons, name + ": " + input->reason);
            if (is_counter(name)) input = &profile_.counters.at(name);
            if (name == "time_ns") input = &profile_.time;
            if (input != nullptr) {
                input_origin = input->origin;
                if (input->spread) m.spread = std::max(m.spread.value_or(0), *input->spread);
            }
            if (!origin || weight(input_origin) > weight(*origin)) origin = input_origin;
        }
        m.origin = alternative.origin.value_or(origin.value_or(Origin::model));
        m.reason = join(reasons, "; ");
        return m;
    }

    Measurement checked(const MetricDef& def, Measurement m) {
        const auto impossible = [&](const std::string& why) {
            return Measurement::missing(
                def.id, def.unit, Status::failed,
                fmt::format("impossible value {:.4g} {}: {}", m.value, def.unit, why));
        };
        if (m.value < 0) return impossible("below 0");
        if (def.max && m.value > *def.max) return impossible(fmt::format("above {:.4g}", *def.max));
        for (const auto& condition : def.sane) {
            const auto holds = evaluate(condition.formula, def, m.value).value;
            if (holds && *holds == 0) return impossible(condition.because);
        }
        if (def.clip && m.value > *def.clip) {
            const std::string note =
                fmt::format("measured {:.4g} {}, set to {:.4g}", m.value, def.unit, *def.clip);
            m.reason += (m.reason.empty() ? "" : "; ") + note;
            m.value = *def.clip;
        }
        return m;
    }

    const KernelProfile& profile_;
    const Catalogue& catalogue_;
    Facts facts_;
    MetricSet results_;
};

}  // namespace

Facts facts_of(const KernelProfile& p) {
    Facts facts;
    if (p.time.ok()) facts["time_ns"] = p.time.value;
    if (p.work) {
        // A model counts the operations, and 0 is its answer for a copy; an annotation or a bound that gives
        // only bytes leaves them at 0, which is not known.
        if (p.work->flops > 0 || p.work->origin == "model") facts["work_flops"] = p.work->flops;
        if (p.work->min_bytes > 0) facts["min_bytes"] = p.work->min_bytes;
    }
    const Launch& launch = p.launch;
    if (launch.known()) {
        facts["blocks"] = static_cast<double>(launch.blocks());
        facts["threads_per_block"] = static_cast<double>(launch.threads_per_block());
    }
    if (launch.registers) facts["registers"] = *launch.registers;
    if (launch.smem_static || launch.smem_dynamic) {
        const auto bytes = launch.smem_static.value_or(0) + launch.smem_dynamic.value_or(0);
        facts["smem_per_block"] = static_cast<double>(bytes);
    }
    if (launch.local_bytes) facts["local_bytes_per_thread"] = static_cast<double>(*launch.local_bytes);
    const DeviceFacts& device = p.provenance.device;
    if (device.sm_count > 0) facts["sm_count"] = device.sm_count;
    if (device.clock_max_mhz > 0) facts["clock_max_mhz"] = device.clock_max_mhz;
    return facts;
}

MetricSet derive(const KernelProfile& p, const Catalogue& catalogue, const Facts& facts) {
    Facts all = facts_of(p);
    for (const auto& [name, value] : facts) all[name] = value;
    return Derivation(p, catalogue, std::move(all)).run();
}

}  // namespace kprof
