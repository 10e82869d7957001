#ifdef KPROF_WITH_CUDA
#include "kernels/support/variant_verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/format.hpp"
#include "kernels/support/compare.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/gemm_tolerance.hpp"
#include "kernels/support/variant_call.hpp"

namespace kprof {
namespace {

Element resolved(Element element, DType dtype) {
    if (element != Element::of_call) return element;
    switch (dtype) {
        case DType::fp64:
            return Element::fp64;
        case DType::bf16:
            return Element::bf16;
        case DType::fp16:
            return Element::fp16;
        case DType::fp8:
            return Element::fp8;
        case DType::int8:
            return Element::int8;
        case DType::fp32:
        case DType::tf32:
            break;
    }
    return Element::fp32;
}

// Runs the reference chunk by chunk and sums up what differs.
OutputSums compare(const Variant& variant, const Call& call, const ComparisonPlan& plan, Element element) {
    const std::int64_t chunk = std::min(plan.groups_at_a_time, plan.compared());
    const DeviceBuffer groups(static_cast<std::size_t>(chunk) * sizeof(std::int64_t), "verification");
    const DeviceBuffer expected(static_cast<std::size_t>(chunk * plan.size) * sizeof(double), "verification");
    const std::int64_t numbers = variant.reference_scratch != nullptr ? variant.reference_scratch(call) : 0;
    const DeviceBuffer scratch =
        numbers > 0 ? DeviceBuffer(static_cast<std::size_t>(numbers) * sizeof(double), "verification")
                    : DeviceBuffer();
    const DeviceBuffer sums(sizeof(OutputSums), "verification");
    sums.fill(0);
    const void* out = call.buffer[output_index(variant)];
    for (std::int64_t from = 0; from < plan.compared(); from += chunk) {
        const std::int64_t count = std::min(chunk, plan.compared() - from);
        if (plan.sampled.empty()) {
            fill_sequence(groups.as<std::int64_t>(), count, from);
        } else {
            groups.upload(plan.sampled.data() + from, static_cast<std::size_t>(count) * sizeof(std::int64_t));
        }
        variant.reference({call, groups.as<std::int64_t>(), static_cast<int>(count), plan.size,
                           expected.as<double>(), scratch.as<double>(), from == 0});
        compare_outputs({out, element, plan.outputs, groups.as<std::int64_t>(), count, plan.size,
                         expected.as<double>(), variant.exact},
                        sums.as<OutputSums>());
    }
    count_not_finite(out, element, plan.outputs, sums.as<OutputSums>());
    OutputSums result;
    sums.download(&result, sizeof result);
    return result;
}

std::string compared_words(const ComparisonPlan& plan) {
    const std::string all = format_count(static_cast<double>(plan.outputs));
    if (plan.sampled.empty()) return fmt::format("all {} elements", all);
    return fmt::format("{} of {} elements",
                       format_count(static_cast<double>(plan.compared()) * static_cast<double>(plan.size)),
                       all);
}

}  // namespace

Verification verify_variant(const Variant& variant, const Call& call) {
    const ComparisonPlan plan = plan_comparison(variant, call);
    const Element element = resolved(variant.buffers[output_index(variant)].element, call.dtype);
    const OutputSums sums = compare(variant, call, plan, element);
    const double compared = std::min(static_cast<double>(plan.compared()) * static_cast<double>(plan.size),
                                     static_cast<double>(plan.outputs));

    Verification result;
    result.tolerance = tolerance_of(variant, call.dtype);
    if (sums.not_finite > 0) {
        result.status = "wrong";
        result.detail = fmt::format("{} of {} elements are NaN, infinite or were never written",
                                    sums.not_finite, format_count(static_cast<double>(plan.outputs)));
        return result;
    }
    if (variant.exact) {
        result.error = static_cast<double>(sums.mismatches) / compared;
        result.status = sums.mismatches == 0 ? "ok" : "wrong";
        result.detail = sums.mismatches == 0
                            ? compared_words(plan) + " exact"
                            : fmt::format("{} of {:.0f} elements are wrong", sums.mismatches, compared);
        return result;
    }
    // The reference's own size is the scale: the norm of what was compared, and 30 times its mean for one
    // value (the largest of a million normal numbers is 5 times the mean; softmax and its like are more
    // uneven).
    const ErrorJudgement judged =
        judge(sums.errors, compared, {*result.tolerance, 0, 30}, "elements compared with the FP64 reference");
    result.error = judged.error;
    const bool nothing = !(sums.errors.reference_squared > 0);
    result.status = judged.problem.empty() && !nothing ? "ok" : "wrong";
    result.detail = nothing                  ? "the reference is zero everywhere: nothing was compared"
                    : judged.problem.empty() ? compared_words(plan) + " against FP64"
                                             : judged.problem;
    return result;
}

}  // namespace kprof
#endif
