#include "metrics/catalogue.hpp"

#include <algorithm>

#include "core/strings.hpp"

namespace kprof {

bool is_counter(const std::string& name) {
    return contains(name, "__");
}

const std::vector<std::string>& fact_names() {
    static const std::vector<std::string> names = {
        "blocks",   "clock_max_mhz",  "local_bytes_per_thread", "min_bytes",         "registers",
        "sm_count", "smem_per_block", "theoretical_occupancy",  "threads_per_block", "time_ns",
        "waves",    "work_flops"};
    return names;
}

namespace {

// The order in which alternatives are tried for collection: the one marked first, then as written.
std::vector<const MetricAlternative*> collection_order(const MetricDef& def) {
    std::vector<const MetricAlternative*> order;
    for (const auto& alternative : def.alternatives) order.push_back(&alternative);
    std::stable_partition(order.begin(), order.end(), [](const MetricAlternative* a) { return a->collect; });
    return order;
}

std::vector<std::string> names_of(const MetricAlternative& alternative) {
    std::vector<std::string> names = alternative.formula.names();
    if (alternative.when) {
        names.insert(names.end(), alternative.when->names().begin(), alternative.when->names().end());
    }
    return names;
}

}  // namespace

const MetricDef* Catalogue::find(const std::string& id) const {
    const auto it = metrics_.find(id);
    return it == metrics_.end() ? nullptr : &it->second;
}

const MetricDef& Catalogue::get(const std::string& id) const {
    if (const MetricDef* def = find(id)) return *def;
    throw usage_error("unknown metric '" + id + "'" + did_you_mean(id, order_), "kprof list metrics");
}

void Catalogue::add_names(const MetricDef& def, const std::vector<std::string>& names, bool every_alternative,
                          std::set<std::string>& counters, std::set<std::string>& seen) const {
    for (const auto& name : names) {
        if (is_counter(name)) {
            counters.insert(name);
        } else if (name != def.id && find(name) != nullptr) {
            add_counters(name, every_alternative, counters, seen);
        }
    }
}

void Catalogue::add_counters(const std::string& id, bool every_alternative, std::set<std::string>& counters,
                             std::set<std::string>& seen) const {
    if (!seen.insert(id).second) return;
    const MetricDef& def = get(id);
    for (const auto& condition : def.undefined) {
        add_names(def, condition.formula.names(), every_alternative, counters, seen);
    }
    for (const MetricAlternative* alternative : collection_order(def)) {
        add_names(def, names_of(*alternative), every_alternative, counters, seen);
        if (!every_alternative) break;
    }
}

std::set<std::string> Catalogue::counters_for(const std::set<std::string>& metric_ids) const {
    std::set<std::string> counters, seen;
    for (const auto& id : metric_ids) add_counters(id, false, counters, seen);
    return counters;
}

std::set<std::string> Catalogue::all_counters_for(const std::set<std::string>& metric_ids) const {
    std::set<std::string> counters, seen;
    for (const auto& id : metric_ids) add_counters(id, true, counters, seen);
    return counters;
}

std::set<std::string> Catalogue::next_for(const std::string& id, const KernelProfile& p,
                                          const MetricSet& metrics, std::set<std::string>& seen) const {
    const MetricDef& def = get(id);
    const auto value = metrics.find(id);
    const bool known = value != metrics.end() && value->second.ok();
    if (known || !seen.insert(id).second) return {};
    for (const MetricAlternative* alternative : collection_order(def)) {
        std::set<std::string> counters, wanted, visited;
        add_names(def, names_of(*alternative), false, counters, visited);
        bool hopeless = false;
        for (const auto& counter : counters) {
            const auto have = p.counters.find(counter);
            if (have == p.counters.end()) {
                wanted.insert(counter);
            } else if (!have->second.ok() && have->second.status != Status::not_collected) {
                hopeless = true;  // one input can never be had: the others would be collected in vain
            }
        }
        if (!wanted.empty() && !hopeless) return wanted;
    }
    for (const MetricAlternative* alternative : collection_order(def)) {
        for (const auto& name : names_of(*alternative)) {
            if (is_counter(name) || name == id || find(name) == nullptr) continue;
            auto wanted = next_for(name, p, metrics, seen);
            if (!wanted.empty()) return wanted;
        }
    }
    return {};
}

std::set<std::string> Catalogue::next_counters(const std::set<std::string>& metric_ids,
                                               const KernelProfile& p, const MetricSet& metrics) const {
    std::set<std::string> counters;
    for (const auto& counter : counters_for(metric_ids)) {
        if (p.counters.count(counter) == 0) counters.insert(counter);
    }
    for (const auto& id : metric_ids) {
        std::set<std::string> seen;
        counters.merge(next_for(id, p, metrics, seen));
    }
    return counters;
}

}  // namespace kprof
