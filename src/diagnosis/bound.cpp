#include "diagnosis/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "diagnosis/facts.hpp"

namespace kprof {

namespace {

Bound evaluate(const ResourceDef& resource, const Values& v, std::optional<double> time) {
    Bound bound;
    bound.resource = &resource;
    for (const Formula& f : resource.time) {
        const std::optional<double> alternative = v.evaluate(f);
        if (!alternative || *alternative < 0) continue;
        bound.time_ns = std::max(bound.time_ns.value_or(0), *alternative);
    }
    if (bound.time_ns && time && *time > 0) bound.share = *bound.time_ns / *time;
    if (!bound.time_ns) bound.missing = v.result(resource.time.front()).missing;
    for (const Formula& f : resource.achievable) {
        const std::optional<double> share = v.evaluate(f);
        if (!share || !(*share > 0)) continue;
        bound.achievable = std::min(*share, 1.0);
        const std::vector<std::string>& names = f.names();
        bound.measured_roof = std::any_of(names.begin(), names.end(), [](const std::string& name) {
            return name.rfind("measured.", 0) == 0;
        });
        break;
    }
    return bound;
}

const Bound* largest(const std::vector<Bound>& bounds, const std::string& kind) {
    const Bound* out = nullptr;
    for (const Bound& b : bounds) {
        if (!b.share || (!kind.empty() && b.resource->kind != kind)) continue;
        if (out == nullptr || *b.share > *out->share) out = &b;
    }
    return out;
}

void put_derived(Values& v, const Model& model) {
    for (const DerivedDef& d : model.derived) {
        for (const Formula& f : d.formulas) {
            const std::optional<double> value = v.evaluate(f);
            if (!value) continue;
            v.set(d.name, *value, d.unit);
            break;
        }
    }
}

std::optional<double> first_available(const std::vector<Formula>& formulas, const Values& v) {
    for (const Formula& f : formulas) {
        if (const std::optional<double> value = v.evaluate(f)) return value;
    }
    return std::nullopt;
}

// The resources after the fix, each at the efficiency that good kernels reach (or that this one reaches
// already).
struct After {
    double floor = 0;       // ns, the largest of them
    double pure = 0;        // ns, the largest without efficiencies
    double before = 0;      // ns, the largest before the fix
    std::string what;       // which
    bool measured = false;  // that one's roof is a measured one
    bool changed = false;
    std::vector<std::string> unseen, missing;

    void open(const std::string& title, const std::vector<std::string>& names) {
        unseen.push_back(title);
        missing.insert(missing.end(), names.begin(), names.end());
    }

    void add(double time, double efficiency, const std::string& title, bool measured_roof = false) {
        pure = std::max(pure, time);
        if (time / efficiency <= floor) return;
        floor = time / efficiency;
        what = title;
        measured = measured_roof;
    }
    // At the efficiency that good kernels reach, or that this one reaches already.
    void add(double time, const Bound& b) {
        const bool beyond = *b.share > b.achievable;
        add(time, beyond ? *b.share : b.achievable, b.resource->title, b.measured_roof && !beyond);
    }
};

After apply_fix(const GainDef& gain, const std::vector<Bound>& bounds, const Values& v) {
    After after;
    for (const Bound& b : bounds) {
        if (!b.time_ns || !b.share) {
            const std::optional<Formula>& unless = b.resource->idle_unless;
            if (!unless) {
                after.open(b.resource->title, b.missing);
                continue;
            }
            const Formula::Result busy = v.result(*unless);
            if (!busy.value) after.open(b.resource->title, busy.missing);
            if (busy.value && *busy.value != 0) after.open(b.resource->title, b.missing);
            continue;
        }
        double time = *b.time_ns;
        after.before = std::max(after.before, time);
        for (const auto& [name, formulas] : gain.after) {
            if (name != b.resource->id) continue;
            if (const std::optional<double> changed = first_available(formulas, v)) {
                time = std::min(time, std::max(*changed, 0.0));
                after.changed = true;
            }
        }
        after.add(time, b);
    }
    for (const auto& [name, formulas] : gain.after) {
        const bool is_resource = std::any_of(
            bounds.begin(), bounds.end(), [&name = name](const Bound& b) { return b.resource->id == name; });
        if (is_resource) continue;
        if (const std::optional<double> floor = first_available(formulas, v)) {
            after.add(*floor, 1, "waiting of other kinds");
            after.changed = true;
        } else {
            after.open("what the warps wait for", v.result(formulas.front()).missing);
        }
    }
    return after;
}

// What no fix takes away of the resources; one whose share of it is not known keeps a gain open.
After least_of(const std::vector<Bound>& bounds, const Values& v) {
    After after;
    for (const Bound& b : bounds) {
        if (b.resource->least.empty()) continue;
        const std::optional<double> least = first_available(b.resource->least, v);
        if (!least || !b.share) {
            after.open(b.resource->title, b.missing);
            continue;
        }
        after.add(*least, b);
    }
    return after;
}

std::string busier_than(const Bound& limit, const std::vector<Bound>& bounds) {
    std::vector<std::string> out;
    for (const Bound& b : bounds) {
        if (!b.share || *b.share <= *limit.share) continue;
        out.push_back(fmt::format("{} ({:.0f} %)", b.resource->title, 100 * *b.share));
    }
    return join(out, " and ");
}

}  // namespace

const Bound* limit_of(const std::vector<Bound>& bounds) {
    const Bound* out = nullptr;
    double most = 1;
    for (const Bound& b : bounds) {
        if (!b.share || !b.limit) continue;
        const double beyond = *b.share / *b.limit;
        if (beyond < most) continue;
        most = beyond;
        out = &b;
    }
    return out;
}

std::vector<Bound> apply_bound_model(Values& v, const Model& model) {
    const std::optional<double> time = v.number("time");
    std::vector<Bound> out;
    out.reserve(model.resources.size());
    put_derived(v, model);  // resources may be made of them; those made of resources follow at the end
    for (const ResourceDef& resource : model.resources) {
        Bound bound = evaluate(resource, v, time);
        bound.limit = first_available(resource.limit, v);
        if (bound.limit) put_fact(v, "limit." + resource.id, *bound.limit);
        if (bound.time_ns) put_fact(v, "t." + resource.id, *bound.time_ns);
        if (bound.share) put_fact(v, "share." + resource.id, *bound.share);
        out.push_back(std::move(bound));
    }
    const Bound* limit = limit_of(out);
    if (const Bound* b = limit != nullptr ? limit : largest(out, "")) {
        put_fact(v, "busiest", *b->share);
        put_fact(v, "bound", b->resource->title);
    }
    if (limit != nullptr) put_fact(v, "beyond_limit", busier_than(*limit, out));
    if (const Bound* b =
            limit != nullptr && limit->resource->kind == "compute" ? limit : largest(out, "compute")) {
        put_fact(v, "busiest_compute", *b->share);
        put_fact(v, "bound_compute", b->resource->title);
    }
    if (const Bound* b = largest(out, "memory")) put_fact(v, "busiest_memory", *b->share);
    put_derived(v, model);
    return out;
}

std::vector<ResourceTime> resource_times(const std::vector<Bound>& bounds) {
    std::vector<ResourceTime> out;
    for (const Bound& b : bounds) {
        std::string why;
        if (!b.time_ns) why = "needs " + join(b.missing, ", ");
        out.push_back(ResourceTime{b.resource->id, b.time_ns, why});
    }
    return out;
}

GainOutcome estimate_gain(const GainDef& gain, const std::vector<Bound>& bounds, const Values& v) {
    GainOutcome outcome;
    const std::optional<double> time = v.number("time");
    if (!time || !(*time > 0)) return outcome;
    GainEstimate out;
    if (!gain.time_after.empty()) {
        const std::optional<double> after = first_available(gain.time_after, v);
        if (!after || !(*after > 0)) return outcome;
        const After least = least_of(bounds, v);
        outcome.unseen = least.unseen;
        outcome.missing = least.missing;
        out.time_after = std::max(*after, least.floor);
        if (least.floor > *after) {
            out.next_bound = least.what;
            out.measured_roof = least.measured;
        }
    } else {
        const After after = apply_fix(gain, bounds, v);
        outcome.unseen = after.unseen;
        outcome.missing = after.missing;
        if (!after.changed || !(after.floor > 0)) return outcome;
        out.time_after = after.floor;
        if (gain.keeps_waits && after.before > 0) {
            out.time_after = std::max(out.time_after, *time * after.pure / after.before);
        }
        out.next_bound = after.what;
        out.measured_roof = after.measured;
    }
    out.time_after = std::min(out.time_after, *time);
    out.gain = *time / out.time_after;
    outcome.estimate = out;
    return outcome;
}

}  // namespace kprof
