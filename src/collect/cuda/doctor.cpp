// `kprof doctor`: every condition of live collection, one after the other; what an earlier one forbids is
// skipped, because CUPTI's device functions crash without a driver.
#include <fmt/format.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <utility>

#include "collect/cuda/clocks.hpp"
#include "collect/cuda/cupti_target.hpp"
#include "collect/cuda/device_facts.hpp"
#include "collect/cuda/l2_flush.hpp"
#include "collect/cuda/range_session.hpp"
#include "collect/environment.hpp"
#include "collect/live.hpp"
#include "core/format.hpp"
#include "core/strings.hpp"
#include "core/version.hpp"

namespace kprof {
namespace {

Check ok(std::string name, std::string detail) {
    return {std::move(name), "ok", std::move(detail), ""};
}
Check skipped(std::string name, std::string why) {
    return {std::move(name), "skipped", std::move(why), ""};
}
Check bad(std::string name, const Error& e) {
    return {std::move(name), "bad", e.what(), e.hint()};
}

Check check_driver(const HostLook& host) {
    const DriverState& state = driver_state();
    if (!state.usable) return {"driver", "bad", state.why_not, state.remedy};
    return ok("driver", fmt::format("{}CUDA {} ({})", host.driver.empty() ? "" : host.driver + ", ",
                                    cuda_version_text(state.cuda_version), state.path));
}

Check check_gpu(const GpuLook& look) {
    if (!look.usable) return {"GPU", "bad", look.why_not, look.remedy};
    const DeviceFacts& d = *look.device;
    return ok("GPU", fmt::format("{}, compute capability {}.{}, {} SMs, {}", d.name, d.cc_major, d.cc_minor,
                                 d.sm_count, format_bytes(static_cast<double>(d.memory_bytes))));
}

Check check_cupti() {
    const CuptiState& state = cupti_state();
    if (!state.usable) return {"CUPTI", "bad", state.why_not, state.remedy};
    const std::string what = fmt::format("{} ({})", cupti_version_text(state.version), state.path);
    if (state.version < CUPTI_API_VERSION) {
        return {"CUPTI", "warning",
                fmt::format("{}, older than the {} kprof was built with", what,
                            cupti_version_text(CUPTI_API_VERSION)),
                "install the CUPTI of the newer toolkit if counters fail"};
    }
    return ok("CUPTI", what);
}

Check check_host_library() {
    const CuptiState& state = cupti_state();
    if (!state.usable) return skipped("libnvperf_host", "CUPTI is missing");
    if (state.host_library.empty()) {
        return {"libnvperf_host", "bad", "not found beside " + state.path + " nor by the loader",
                "install the whole CUPTI package, or add the folder of libnvperf_host.so to LD_LIBRARY_PATH"};
    }
    return ok("libnvperf_host", state.host_library);
}

Check check_permission(const HostLook& host) {
    const bool free = host.sys_admin || geteuid() == 0;
    if (host.admin_only.value_or(false) && !free) {
        return {"permission", "bad", "counters are for administrators only (RmProfilingAdminOnly: 1)",
                permission_remedy(host)};
    }
    if (!host.admin_only) {
        return ok("permission", "/proc/driver/nvidia/params does not tell; see the availability check");
    }
    return ok("permission", *host.admin_only ? "counters are for administrators, and this process is one"
                                             : "counters are open to all users (RmProfilingAdminOnly: 0)");
}

// Sandboxes and sharing that stand in the way, each only when it is there.
void add_surroundings(const HostLook& host, std::vector<Check>& checks) {
    if (host.wsl) {
        checks.push_back({"WSL2", "warning", "this is WSL2: counters need a setting on the Windows side",
                          permission_remedy(host)});
    }
    if (host.gvisor) {
        checks.push_back(
            {"gVisor", "warning", "this container runs in gVisor, which hides GPU counters by default",
             "start the sandbox with runsc --nvproxy-allowed-driver-capabilities=all, or use runc"});
    }
    if (host.container && !host.sys_admin && host.admin_only.value_or(false)) {
        checks.push_back({"container", "warning", "this container has no CAP_SYS_ADMIN",
                          "docker run --cap-add=SYS_ADMIN ..."});
    }
    const bool mps = host.mps || (driver_state().usable && look_for_gpu().usable && mps_enabled(0));
    if (mps) {
        checks.push_back({"MPS", "warning",
                          "the multi-process service is on: CUPTI does not profile under MPS",
                          "stop it for the measurement: echo quit | nvidia-cuda-mps-control"});
    }
}

Check check_nvml(const Clocks& clocks) {
    if (!clocks.problem().empty()) {
        return {"NVML", "warning", clocks.problem(),
                "libnvidia-ml.so.1 comes with the driver; without it clocks and throttling are not shown"};
    }
    const auto clock = clocks.sm_mhz();
    const std::string throttle = clocks.throttle();
    return ok("NVML", fmt::format("SM clock {}, throttling: {}",
                                  clock ? fmt::format("{:.0f} MHz", *clock) : std::string("not told"),
                                  throttle.empty() ? "none" : throttle));
}

Check check_mig(const Clocks& clocks, const DeviceFacts& device) {
    if (clocks.mig().value_or(false) || contains(device.name, "MIG")) {
        return {"MIG", "warning",
                "MIG is on: a slice that shares its GPU instance has no L2 and DRAM counters",
                "profile on a slice with its own GPU instance, or on the whole GPU"};
    }
    return ok("MIG", "off");
}

// One real collection: the L2 reading kernel, one counter, one pass.
Check check_collection(const PrimaryContext& context, CuptiTarget& target, const DeviceFacts& device) {
    L2Flush kernel(device.l2_bytes, device.sm_count);
    kernel.make_ready();
    const CuptiHost::Schedule plan = target.host().schedule({"gpu__time_duration.sum"});
    if (plan.configs.empty()) {
        return {"collection", "bad", target.host().chip() + " has no counter gpu__time_duration",
                "use the CUPTI of a newer CUDA toolkit"};
    }
    RangeSession session(context.context());
    RangeSession::Replay replay;
    replay.prepare = [] { check(driver().ctx_synchronize(), "cuCtxSynchronize"); };
    replay.launch = [&] { kernel.run(); };
    const RangeSession::Result result = session.run(*plan.configs.front(), replay);
    if (result.kernels.size() != 1 || !(result.kernels.front().front() > 0)) {
        return {"collection", "bad",
                fmt::format("one kernel was launched, CUPTI recorded {}", result.kernels.size()),
                "set NVLOG_CONFIG_FILE to see CUPTI's own log"};
    }
    return ok("collection", "a test kernel was profiled: " + format_time_ns(result.kernels.front().front()));
}

void add_device_checks(const DeviceFacts& device, std::vector<Check>& checks) {
    std::optional<PrimaryContext> context;
    std::optional<CuptiTarget> target;
    const auto step = [&](const char* name, bool possible, const std::function<Check()>& run) {
        if (!possible) {
            checks.push_back(skipped(name, "an earlier check failed"));
            return;
        }
        try {
            checks.push_back(run());
        } catch (const Error& e) {
            checks.push_back(bad(name, e));
        }
    };
    step("context", true, [&] {
        context.emplace(0);
        return ok("context", "the primary context was made");
    });
    step("counters", context.has_value() && cupti_state().usable, [&] {
        target.emplace(*context, 0);
        return ok("counters", "available on chip " + target->host().chip());
    });
    step("collection", target.has_value(), [&] { return check_collection(*context, *target, device); });
}

}  // namespace

std::vector<Check> doctor_checks() {
    const HostLook host = look_at_host();
    std::vector<Check> checks;
    checks.push_back(ok("build", cuda_choice()));
    checks.push_back(check_driver(host));
    const GpuLook look = look_for_gpu();
    checks.push_back(driver_state().usable ? check_gpu(look) : skipped("GPU", "there is no usable driver"));
    checks.push_back(check_cupti());
    checks.push_back(check_host_library());
    checks.push_back(host.driver.empty() && !look.usable ? skipped("permission", "there is no driver")
                                                         : check_permission(host));
    add_surroundings(host, checks);
    if (!look.usable) {
        for (const char* name : {"NVML", "MIG", "counters", "collection"}) {
            checks.push_back(skipped(name, "there is no usable GPU"));
        }
        return checks;
    }
    const Clocks clocks(pci_bus_id(0));
    checks.push_back(check_nvml(clocks));
    checks.push_back(check_mig(clocks, *look.device));
    add_device_checks(*look.device, checks);
    return checks;
}

}  // namespace kprof
