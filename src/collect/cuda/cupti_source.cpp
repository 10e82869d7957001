// Live collection: CUDA events for the time, CUPTI for the counters, NVML for clocks.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <utility>

#include "collect/cuda/clock_watch.hpp"
#include "collect/cuda/counter_run.hpp"
#include "collect/cuda/cupti_target.hpp"
#include "collect/cuda/device_facts.hpp"
#include "collect/cuda/l2_flush.hpp"
#include "collect/cuda/nvtx.hpp"
#include "collect/cuda/timing.hpp"
#include "collect/environment.hpp"
#include "collect/live.hpp"
#include "core/format.hpp"
#include "core/version.hpp"

namespace kprof {
namespace {

void synchronize() {
    check(driver().ctx_synchronize(), "cuCtxSynchronize");
}

class LiveSource : public CounterSource {
  public:
    explicit LiveSource(Planner planner) : planner_(std::move(planner)) {}

    const char* kind() const override { return "live"; }
    KernelProfile begin(const KernelRequest& request, const CollectOptions& options) override;
    void collect(KernelProfile& p, const std::set<std::string>& counters, const std::string& stage,
                 const CollectOptions& options) override;

  private:
    void prepare_device(const CollectOptions& options);
    Provenance provenance(const CollectOptions& options) const;
    void require_memory(const KernelPlan& plan) const;
    // Puts the device into the state in which every timed and counted launch starts; does not wait.
    void prepare_run();
    void measure(KernelProfile& p, const KernelPlan& plan, const CollectOptions& options);
    void take_launch(KernelProfile& p, const KernelPlan& plan);
    static void take_facts(KernelProfile& p, const LaunchFacts& facts);
    void take_longest(KernelProfile& p);
    void verify(KernelProfile& p, const CollectOptions& options);
    void time(KernelProfile& p, const CollectOptions& options);
    CounterRun counter_run(KernelProfile& p);
    // True when a kernel has left the context unusable; remembers it.
    bool context_lost();

    Planner planner_;
    int ordinal_ = -1;
    bool cold_ = true;
    std::string lost_because_;
    DeviceFacts facts_;
    // Destroyed from the last to the first: the profiler before the workload, all before the context.
    std::unique_ptr<PrimaryContext> context_;
    std::unique_ptr<CuptiTarget> target_;
    std::unique_ptr<Clocks> clocks_;
    std::unique_ptr<L2Flush> flush_;
    std::unique_ptr<Workload> workload_;
    std::unique_ptr<RangeSession> session_;
    ReplayCheck replay_check_;
    std::vector<LaunchFacts> seen_;  // the kernels of one run, in order
    std::vector<double> kernel_ns_;  // their times under the profiler
};

void LiveSource::prepare_device(const CollectOptions& options) {
    if (!context_ || ordinal_ != options.device) {
        flush_.reset();
        clocks_.reset();
        target_.reset();
        context_.reset();
        context_ = std::make_unique<PrimaryContext>(options.device);
        ordinal_ = options.device;
        facts_ = device_facts(ordinal_);
        clocks_ = std::make_unique<Clocks>(pci_bus_id(ordinal_));
        flush_ = std::make_unique<L2Flush>(facts_.l2_bytes, facts_.sm_count);
    }
    if (options.counters && !target_) {
        if (options.progress) options.progress("preparing the profiler");
        target_ = std::make_unique<CuptiTarget>(*context_, ordinal_);
        facts_.chip = target_->host().chip();
    }
}

Provenance LiveSource::provenance(const CollectOptions& options) const {
    Provenance v;
    v.kind = kind();
    v.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    v.driver = clocks_->driver_version();
    if (v.driver.empty()) v.driver = look_at_host().driver;
    v.cuda = cuda_version_text(driver_state().cuda_version);
    if (target_) v.cupti = cupti_version_text(cupti_state().version);
    v.kprof = version();
    v.device = facts_;
    v.cache = options.cache;
    return v;
}

void LiveSource::require_memory(const KernelPlan& plan) const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(driver().mem_get_info(&free, &total), "cuMemGetInfo");
    const double flush =
        cold_ && !flush_->ready() ? static_cast<double>(L2Flush::bytes_for(facts_.l2_bytes)) : 0;
    const double needed = plan.device_bytes + flush;
    if (needed <= static_cast<double>(free)) return;
    throw usage_error(
        fmt::format("{} needs {} of GPU memory, and {} of {} are free", plan.id.name, format_bytes(needed),
                    format_bytes(static_cast<double>(free)), format_bytes(static_cast<double>(total))),
        "take a smaller --shape, or free memory (nvidia-smi lists who holds it)");
}

bool LiveSource::context_lost() {
    const CUresult state = driver().ctx_synchronize();
    if (!is_kernel_fault(state)) return false;
    lost_because_ = describe(state);
    return true;
}

void LiveSource::prepare_run() {
    workload_->reset();
    if (cold_) flush_->run();
}

void LiveSource::take_launch(KernelProfile& p, const KernelPlan& plan) {
    p.launches = workload_->launches();
    if (plan.launch) p.launch = *plan.launch;
    seen_.clear();
    kernel_ns_.clear();
    workload_->reset();
    if (!target_) {
        workload_->launch();
        synchronize();
        return;
    }
    seen_ = target_->launches().capture([this] { workload_->launch(); });
    if (seen_.empty()) {
        // The kernels of a CUDA graph are launched by the driver, out of sight.
        if (p.launch.known()) return;
        p.warnings.emplace_back(
            "no kernel launch was seen: registers, shared memory and occupancy are not known");
        return;
    }
    p.launches = std::max(static_cast<int>(seen_.size()), p.launches);
    // Of several kernels the one with most threads stands for the run, until their times are known.
    const auto threads = [](const LaunchFacts& f) {
        return f.launch.blocks() * f.launch.threads_per_block();
    };
    take_facts(p,
               *std::max_element(seen_.begin(), seen_.end(), [&](const LaunchFacts& a, const LaunchFacts& b) {
                   return threads(a) < threads(b);
               }));
}

void LiveSource::take_facts(KernelProfile& p, const LaunchFacts& facts) {
    p.launch = facts.launch;
    if (facts.mangled.empty()) return;
    p.kernel.mangled = facts.mangled;
    p.kernel.name = facts.name;
}

// Of several kernels the longest stands for the run.
void LiveSource::take_longest(KernelProfile& p) {
    if (seen_.size() < 2 || kernel_ns_.size() != seen_.size()) return;
    const auto longest = std::max_element(kernel_ns_.begin(), kernel_ns_.end());
    take_facts(p, seen_[static_cast<std::size_t>(longest - kernel_ns_.begin())]);
}

void LiveSource::verify(KernelProfile& p, const CollectOptions& options) {
    if (!options.verify) {
        p.verification.detail = "switched off";
        return;
    }
    if (options.progress) options.progress("verifying");
    workload_->reset();
    workload_->launch();
    synchronize();
    p.verification = workload_->verify();
}

void LiveSource::time(KernelProfile& p, const CollectOptions& options) {
    if (options.progress) options.progress("timing");
    const NvtxRange range("kprof: timing");
    Provenance& v = p.provenance;
    v.clock_before_mhz = clocks_->sm_mhz();
    ClockWatch watch(*clocks_);
    TimingPlan plan;
    plan.prepare = [this] { prepare_run(); };
    plan.launch = [this] { workload_->launch(); };
    plan.during = [&] { watch.sample(); };
    const Timing timing = time_launches(plan, options);
    watch.finish(v);
    v.clock_after_mhz = clocks_->sm_mhz();
    v.repeats = static_cast<int>(timing.ns.size());
    p.time = time_measurement(timing);
    if (timing.cancelled) p.warnings.push_back("interrupted while timing: " + p.time.reason);
    if (!clocks_->problem().empty()) {
        p.warnings.push_back("clocks, power and throttling were not read: " + clocks_->problem());
    }
    if (clocks_->mig().value_or(false)) {
        p.warnings.emplace_back(
            "MIG is on: L2 and DRAM counters of a shared GPU instance are missing, and shares of a peak are "
            "those "
            "of the whole GPU");
    }
}

void LiveSource::measure(KernelProfile& p, const KernelPlan& plan, const CollectOptions& options) {
    if (options.progress) options.progress("preparing " + plan.id.short_name);
    {
        const NvtxRange range("kprof: setup");
        workload_ = plan.make();
        if (cold_) flush_->make_ready();
    }
    // The first launch loads the code, and is where a kernel that cannot run fails.
    {
        const NvtxRange range("kprof: warm-up");
        workload_->reset();
        workload_->launch();
        synchronize();
        take_launch(p, plan);
    }
    verify(p, options);
    time(p, options);
}

KernelProfile LiveSource::begin(const KernelRequest& request, const CollectOptions& options) {
    session_.reset();
    workload_.reset();
    replay_check_ = ReplayCheck();
    if (!lost_because_.empty()) {
        throw environment_error("an earlier kernel left the GPU context unusable: " + lost_because_,
                                "run this kernel in a process of its own");
    }
    if (options.cache != "cold" && options.cache != "warm") {
        throw usage_error("unknown cache state '" + options.cache + "'", "--cache cold or --cache warm");
    }
    cold_ = options.cache == "cold";
    const KernelPlan plan = planner_(request);
    if (!plan.make) {
        throw environment_error("this kprof holds no device code for " + plan.id.name,
                                "build with the CUDA toolkit: cmake -DKPROF_CUDA=ON ...");
    }
    prepare_device(options);
    const std::string missing = missing_on(plan.needs, plan.id.short_name, facts_);
    if (!missing.empty()) {
        throw environment_error(missing,
                                "kprof list variants   shows the variants and what each needs; --source "
                                "recording shows this one as it was recorded");
    }
    require_memory(plan);

    KernelProfile p;
    p.kernel = plan.id;
    p.work = plan.work;
    p.provenance = provenance(options);
    try {
        measure(p, plan, options);
    } catch (const Error&) {
        if (!context_lost()) throw;
        p.failure = "the kernel failed on the GPU: " + lost_because_;
    }
    return p;
}

CounterRun LiveSource::counter_run(KernelProfile& p) {
    const auto kernels = static_cast<std::size_t>(std::max(p.launches, 1));
    const auto sampled = static_cast<std::size_t>(std::max(workload_->sample_launches(), 1));
    CounterRun run{target_->host(),
                   *session_,
                   replay_check_,
                   [this] {
                       prepare_run();
                       synchronize();
                   },
                   [this] { workload_->launch(); },
                   kernels,
                   1,
                   &kernel_ns_};
    if (sampled < kernels) {
        run.launch = [this] { workload_->launch_sample(); };
        run.kernels = sampled;
        run.scale = static_cast<double>(kernels) / static_cast<double>(sampled);
    }
    return run;
}

void LiveSource::collect(KernelProfile& p, const std::set<std::string>& counters, const std::string& stage,
                         const CollectOptions& options) {
    if (!workload_ || !p.failure.empty()) {
        throw Error(ExitCode::internal, "collect() without a kernel that begin() made ready");
    }
    if (!target_) {
        for (const std::string& name : counters) {
            p.counters.emplace(
                name, Measurement::missing(name, "", Status::not_collected, "counters are switched off"));
        }
        return;
    }
    const NvtxRange range("kprof: counters");
    try {
        if (!session_) session_ = std::make_unique<RangeSession>(context_->context());
        const CounterRun run = counter_run(p);
        collect_counters(p, counters, run, options);
        take_longest(p);
        p.provenance.stages.push_back(stage);
    } catch (const Error&) {
        if (!context_lost()) throw;
        // The time and the verification stand; the kernel is what failed, not this machine.
        session_.reset();
        p.failure = "the kernel failed on the GPU while counters were collected: " + lost_because_;
    }
}

}  // namespace

std::unique_ptr<CounterSource> make_live_source(Planner planner) {
    const GpuLook look = look_for_gpu();
    if (!look.usable) throw environment_error(look.why_not, look.remedy);
    return std::make_unique<LiveSource>(std::move(planner));
}

}  // namespace kprof
