// Live collection in a build without CUDA: every question is answered with how to get a build that has it.
#include "collect/environment.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace kprof {
namespace {

const char* const rebuild =
    "build with the CUDA toolkit (cmake -DKPROF_CUDA=ON ...), or use --source recording or --source model";

std::string built_without() {
    return "this kprof was built without live collection (" + cuda_choice() + ")";
}

}  // namespace

GpuLook look_for_gpu(int /*device*/) {
    GpuLook look;
    look.why_not = built_without();
    look.remedy = rebuild;
    return look;
}

std::unique_ptr<CounterSource> make_live_source(Planner /*planner*/) {
    throw environment_error(built_without(), rebuild);
}

std::vector<Check> doctor_checks() {
    const HostLook host = look_at_host();
    std::vector<Check> checks{{"build", "bad", built_without(), rebuild}};
    if (host.driver.empty()) {
        checks.push_back({"driver", "skipped", "no NVIDIA kernel driver is loaded here", ""});
    } else {
        checks.push_back({"driver", "ok", "NVIDIA kernel driver " + host.driver, ""});
    }
    return checks;
}

std::vector<std::string> runtime_versions() {
    const HostLook host = look_at_host();
    if (host.driver.empty()) return {};
    return {"driver " + host.driver};
}

}  // namespace kprof
