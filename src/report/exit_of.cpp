#include <algorithm>

#include "report/report.hpp"

namespace kprof {
namespace {

bool wrong(const Analysed& a) {
    return a.diagnosis.status == "wrong_result" || a.profile.verification.status == "wrong";
}

bool inconclusive(const Analysed& a) {
    if (!a.profile.failure.empty()) return true;
    const std::string& status = a.diagnosis.status;
    // Analytic work and occupancy are all that a model promises: without counters it is still complete.
    if (a.profile.provenance.kind == "model") return status == "above_roof";
    return status != "ok" && status != "too_small";
}

}  // namespace

ExitCode exit_of(const Report& r) {
    if (std::any_of(r.kernels.begin(), r.kernels.end(), wrong)) return ExitCode::wrong_result;
    if (r.kernels.empty() || std::any_of(r.kernels.begin(), r.kernels.end(), inconclusive)) {
        return ExitCode::inconclusive;
    }
    return ExitCode::ok;
}

}  // namespace kprof
