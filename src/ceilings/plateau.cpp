#include "ceilings/plateau.hpp"

#include <algorithm>

namespace kprof {
namespace {

WorkingSet median_of(std::vector<WorkingSet> run) {
    std::sort(run.begin(), run.end(),
              [](const WorkingSet& a, const WorkingSet& b) { return a.value < b.value; });
    return run[(run.size() - 1) / 2];
}

bool agree(const std::vector<WorkingSet>& run, const WorkingSet& next) {
    double low = next.value, high = next.value;
    for (const WorkingSet& w : run) {
        low = std::min(low, w.value);
        high = std::max(high, w.value);
    }
    return high - low <= plateau_tolerance * high;
}

}  // namespace

std::optional<WorkingSet> plateau(const std::vector<WorkingSet>& sets, const std::string& access,
                                  std::int64_t from, std::int64_t to) {
    std::vector<WorkingSet> curve;
    for (const WorkingSet& w : sets) {
        if (w.access == access && w.bytes_per_sm >= from && w.bytes_per_sm <= to) curve.push_back(w);
    }
    std::sort(curve.begin(), curve.end(),
              [](const WorkingSet& a, const WorkingSet& b) { return a.bytes_per_sm < b.bytes_per_sm; });
    std::optional<WorkingSet> best;
    for (std::size_t first = 0; first < curve.size(); ++first) {
        std::vector<WorkingSet> run{curve[first]};
        for (std::size_t i = first + 1; i < curve.size() && agree(run, curve[i]); ++i)
            run.push_back(curve[i]);
        if (run.size() < 2) continue;
        const WorkingSet middle = median_of(run);
        if (!best || middle.value > best->value) best = middle;
    }
    return best;
}

SizeRange l1_range(std::int64_t l1_bytes_per_sm) {
    return {0, l1_bytes_per_sm / 2};
}

SizeRange l2_range(std::int64_t l2_bytes, int sm_count) {
    return {0, sm_count > 0 ? l2_bytes / 2 / sm_count : 0};
}

}  // namespace kprof
