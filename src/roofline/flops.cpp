#include "roofline/flops.hpp"

#include <algorithm>

#include "core/dtype.hpp"

namespace kprof {

std::optional<double> ok_value(const MetricSet& metrics, const std::string& id) {
    const auto at = metrics.find(id);
    return at == metrics.end() ? std::nullopt : at->second.get();
}

std::vector<CountedFlops> counted_flops(const MetricSet& metrics, double known_total) {
    std::vector<CountedFlops> all;
    double sum = 0;
    for (const DType type : all_dtypes()) {
        const std::string precision = to_string(type);
        for (const char* pipe : {"vector", "tensor"}) {
            const bool tensor = pipe == std::string("tensor");
            // Integer operations are no FLOPs, and their metric is not named so.
            const std::string count = type == DType::int8 ? "ops_" : "flops_";
            const auto flops = ok_value(metrics, count + (tensor ? "tensor_" : "") + precision);
            if (!flops || *flops <= 0) continue;
            all.push_back({precision, pipe, *flops});
            sum += *flops;
        }
    }
    const double least = 0.01 * std::max(sum, known_total);
    std::erase_if(all, [&](const CountedFlops& c) { return c.flops < least; });
    std::stable_sort(all.begin(), all.end(),
                     [](const CountedFlops& a, const CountedFlops& b) { return a.flops > b.flops; });
    return all;
}

}  // namespace kprof
