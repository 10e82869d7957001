#ifdef KPROF_WITH_CUDA
#include "kernels/support/gemm_verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/gemm_reference.hpp"
#include "kernels/support/gemm_tolerance.hpp"

namespace kprof {
namespace {

constexpr unsigned projections = 2;

struct Sums {
    ErrorSums elements;
    ErrorSums projected[projections];  // of a plain product
    ErrorSums whole;                   // of other tasks: only the count of what is not finite
};

DeviceBuffer uploaded(const std::vector<int>& list) {
    DeviceBuffer buffer(list.size() * sizeof(int), "verification");
    buffer.upload(list.data(), list.size() * sizeof(int));
    return buffer;
}

Sums compare(const GemmCall& call, GemmTask task, const std::vector<int>& rows,
             const std::vector<int>& columns) {
    const DeviceBuffer device_rows = uploaded(rows), device_columns = uploaded(columns);
    const DeviceBuffer x(static_cast<std::size_t>(call.n) * sizeof(double), "verification");
    const DeviceBuffer y(static_cast<std::size_t>(call.k) * sizeof(double), "verification");
    const DeviceBuffer sums(sizeof(Sums), "verification");
    sums.fill(0);
    auto* on_device = sums.as<Sums>();
    compare_elements(call, task, device_rows.as<int>(), static_cast<int>(rows.size()),
                     device_columns.as<int>(), static_cast<int>(columns.size()), &on_device->elements);
    if (task == GemmTask::product) {
        for (unsigned i = 0; i < projections; ++i) {
            compare_projections(call, i + 1, x.as<double>(), y.as<double>(), &on_device->projected[i]);
        }
    } else {
        count_not_finite(call, &on_device->whole);
    }
    Sums result;
    sums.download(&result, sizeof result);
    return result;
}

std::string passed_words(GemmTask task, double compared, double all) {
    return fmt::format("{} of {} elements against FP64, ", format_count(compared), format_count(all)) +
           (task == GemmTask::product ? fmt::format("all in {} random projections", projections)
                                      : std::string("all of them finite"));
}

}  // namespace

Verification verify_gemm(const GemmCall& call, GemmTask task) {
    const std::size_t count = sample_count(call.m, call.n, call.k);
    const std::vector<int> rows = sample_indices(call.m, count, 1),
                           columns = sample_indices(call.n, count, 2);
    const Sums sums = compare(call, task, rows, columns);

    const double tolerance = gemm_tolerance(call.dtype, call.k);
    const double element_rms = expected_rms(task, call.k);
    const double compared = static_cast<double>(rows.size()) * static_cast<double>(columns.size());
    const double all = static_cast<double>(call.m) * static_cast<double>(call.n);

    const ErrorJudgement elements = judge(sums.elements, compared, {tolerance, element_rms, 10},
                                          "elements compared with the FP64 reference");
    Verification result;
    result.tolerance = tolerance;
    result.error = elements.error;
    std::string problem = elements.problem;
    unsigned long long not_finite = sums.whole.not_finite;
    if (task == GemmTask::product) {
        not_finite = sums.projected[0].not_finite;
        const double row_rms = element_rms * std::sqrt(static_cast<double>(call.n));
        for (const ErrorSums& projected : sums.projected) {
            const ErrorJudgement sums_of_rows =
                judge(projected, call.m, {tolerance, row_rms, 4, 1}, "row sums of C against A(Bx)");
            if (problem.empty() && !sums_of_rows.problem.empty()) {
                problem = sums_of_rows.problem;
                result.error = std::max(elements.error, sums_of_rows.error);
            }
        }
    }
    // Every element was looked at, so this count is the whole one; with NaN there is no error to give.
    if (not_finite > 0) {
        problem = fmt::format("{} of {} elements of C are NaN, infinite or were never written", not_finite,
                              format_count(all));
        result.error.reset();
    }
    result.status = problem.empty() ? "ok" : "wrong";
    result.detail = problem.empty() ? passed_words(task, compared, all) : problem;
    return result;
}

}  // namespace kprof
#endif
