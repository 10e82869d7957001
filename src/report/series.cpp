#include "report/series.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/json_parts.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

bool timed_right(const Analysed& a) {
    return a.profile.time.ok() && a.profile.time.value > 0 && a.profile.failure.empty() &&
           a.diagnosis.status != "wrong_result";
}

bool same_work(const KernelProfile& a, const KernelProfile& b) {
    if (!a.work || !b.work || a.kernel.shape != b.kernel.shape) return false;
    const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-6 * std::max(x, y); };
    // The same product in BF16 and FP32 has the same FLOPs and other bytes.
    if (a.work->flops > 0 || b.work->flops > 0) return near(a.work->flops, b.work->flops);
    return near(a.work->min_bytes, b.work->min_bytes);
}

const SeriesRow* row_of(const Report& r, std::size_t row) {
    return r.series && row < r.series->rows.size() ? &r.series->rows[row] : nullptr;
}

}  // namespace

std::optional<double> gain_between(const Analysed& before, const Analysed& after) {
    if (!timed_right(before) || !timed_right(after) || !same_work(before.profile, after.profile)) return {};
    return before.profile.time.value / after.profile.time.value;
}

std::optional<double> gain_over_before(const Report& r, std::size_t row) {
    if (row == 0) return {};
    return gain_between(r.kernels[row - 1], r.kernels[row]);
}

std::optional<double> gain_over_mended(const Report& r, std::size_t row) {
    const SeriesRow* mine = row_of(r, row);
    if (mine == nullptr || mine->mends.empty()) return {};
    const std::string& dtype = r.kernels[row].profile.kernel.dtype;
    const Analysed* mended = nullptr;
    for (const Analysed& a : r.kernels) {
        if (a.profile.kernel.variant != mine->mends ||
            a.profile.kernel.family != r.kernels[row].profile.kernel.family) {
            continue;
        }
        if (a.profile.kernel.dtype == dtype) mended = &a;
    }
    return mended != nullptr ? gain_between(*mended, r.kernels[row]) : std::nullopt;
}

std::optional<double> share_of(const Report& r, std::size_t row) {
    if (!r.series->left_out.empty()) return {};
    double sum = 0;
    for (std::size_t i = 0; i < r.kernels.size(); ++i) {
        if (!timed_right(r.kernels[i])) return {};
        sum += r.kernels[i].profile.time.value * row_of(r, i)->count;
    }
    return r.kernels[row].profile.time.value * row_of(r, row)->count / sum;
}

namespace {

// The work under the roofs of the machine that it ran on (or would run on).
std::optional<RooflinePoint> at_best(const Analysed& a) {
    if (!a.machine) return {};
    std::string why_not;
    return what_if(a.profile, *a.machine, &why_not);
}

}  // namespace

std::optional<double> roof_time_ns(const Analysed& a) {
    const std::optional<RooflinePoint> point = at_best(a);
    if (!point || !(point->time_ns > 0)) return {};
    return point->time_ns;
}

std::string layer_bound(const Analysed& a, double launch_ns) {
    const std::optional<RooflinePoint> point = at_best(a);
    if (!point || !(point->time_ns > 0) || !timed_right(a)) return "";
    const double time = a.profile.time.value;
    if (time < 2 * launch_ns && time > 2 * point->time_ns) return "launch";
    if (time > 4 * point->time_ns) return "latency";
    return point->bound;
}

Json series_json(const Report& r) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < r.kernels.size(); ++i) {
        const SeriesRow& row = *row_of(r, i);
        const KernelId& id = r.kernels[i].profile.kernel;
        Json one{{"label", row.label}, {"kernel", id.family + "/" + id.variant}};
        if (r.series->kind == "ladder") {
            one["expected"] = row.expected;
            one["mends"] = row.mends.empty() ? Json(nullptr) : Json(row.mends);
            one["gain_over_before"] = finite_json(gain_over_before(r, i));
            one["gain_over_mended"] = finite_json(gain_over_mended(r, i));
        } else if (r.series->kind == "layer") {
            one["count"] = row.count;
            one["share"] = finite_json(share_of(r, i));
            one["roof_time_ns"] = finite_json(roof_time_ns(r.kernels[i]));
            const std::string bound = layer_bound(r.kernels[i], r.series->launch_ns);
            one["bound"] = bound.empty() ? Json(nullptr) : Json(bound);
        }
        rows.push_back(std::move(one));
    }
    return {{"kind", r.series->kind},
            {"title", r.series->title},
            {"rows", std::move(rows)},
            {"notes", r.series->notes},
            {"left_out", r.series->left_out}};
}

}  // namespace kprof
