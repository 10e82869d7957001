#include "kernels/support/variant_call.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "core/error.hpp"

namespace kprof {
namespace {

constexpr double budget_flops = 2e11;
constexpr std::int64_t expected_at_a_time = std::int64_t{1} << 24;  // doubles
constexpr std::int64_t edge_groups = 8;

std::vector<std::int64_t> sample(std::int64_t groups, std::int64_t count) {
    std::set<std::int64_t> chosen;
    for (std::int64_t i = 0; i < edge_groups; ++i) {
        chosen.insert(i);
        chosen.insert(groups - 1 - i);
    }
    std::mt19937_64 generator(7);
    while (static_cast<std::int64_t>(chosen.size()) < count) {
        chosen.insert(static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(groups)));
    }
    return {chosen.begin(), chosen.end()};
}

}  // namespace

std::size_t output_index(const Variant& variant) {
    for (std::size_t i = 0; i < variant.buffers.size(); ++i) {
        if (variant.buffers[i].role == Role::output) return i;
    }
    throw Error(ExitCode::internal,
                std::string(variant.family) + "/" + variant.name + " has no output to verify");
}

ComparisonPlan plan_comparison(const Variant& variant, const Call& call) {
    ComparisonPlan plan;
    plan.outputs = variant.buffers[output_index(variant)].count(call);
    plan.size = std::clamp<std::int64_t>(variant.group != nullptr ? variant.group(call) : 1, 1, plan.outputs);
    plan.groups = (plan.outputs + plan.size - 1) / plan.size;
    plan.groups_at_a_time = std::clamp<std::int64_t>(expected_at_a_time / plan.size, 1, plan.groups);
    const double cost =
        variant.group_cost != nullptr ? variant.group_cost(call) : 10 * static_cast<double>(plan.size);
    if (cost * static_cast<double>(plan.groups) <= budget_flops) return plan;
    const auto affordable = static_cast<std::int64_t>(budget_flops / cost);
    const std::int64_t count = std::clamp<std::int64_t>(affordable, 32, 4096);
    if (count < plan.groups) plan.sampled = sample(plan.groups, count);
    return plan;
}

double verification_bytes(const Variant& variant, const Call& call) {
    const ComparisonPlan plan = plan_comparison(variant, call);
    const auto chunk = static_cast<double>(std::min(plan.groups_at_a_time, plan.compared()));
    return chunk * (static_cast<double>(plan.size) * 8 + 8) + 1e6;
}

}  // namespace kprof
