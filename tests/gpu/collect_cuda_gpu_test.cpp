// Live collection on a real GPU: needs one, and the right to read counters. Exit code 77 means skipped.
#include <cmath>
#include <cstdio>
#include <set>
#include <string>

#include "collect/live.hpp"
#include "kernels/registry.hpp"

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
    std::printf("%s %s\n", holds ? "ok  " : "FAIL", what.c_str());
    if (!holds) ++failures;
}

std::string text(double value) {
    return std::to_string(value);
}

double counter(const kprof::KernelProfile& p, const std::string& name) {
    const auto found = p.counters.find(name);
    if (found == p.counters.end()) {
        std::printf("     %s was not asked for\n", name.c_str());
        return -1;
    }
    if (!found->second.ok()) std::printf("     %s: %s\n", name.c_str(), found->second.reason.c_str());
    return found->second.get().value_or(-1);
}

void check_doctor() {
    for (const kprof::Check& c : kprof::doctor_checks()) {
        std::printf("     doctor %-15s %-8s %s\n", c.name.c_str(), c.state.c_str(), c.detail.c_str());
        expect(c.state != "bad", "doctor: " + c.name);
    }
}

// A streaming kernel: its traffic, instructions and time are known beforehand.
void check_stream(kprof::CounterSource& source, const std::string& cache) {
    using namespace kprof;
    KernelRequest request;
    request.family = "copy";
    CollectOptions options;
    options.cache = cache;
    KernelProfile p = source.begin(request, options);
    for (const std::string& w : p.warnings) std::printf("     warning: %s\n", w.c_str());
    std::printf("     %s grid %u block %u, %.2f us +- %.2f %%, %d repeats\n", p.kernel.name.c_str(),
                p.launch.grid[0], p.launch.block[0], p.time.value / 1e3, p.time.spread.value_or(0) * 100,
                p.provenance.repeats);
    expect(p.failure.empty(), cache + ": the kernel runs " + p.failure);
    expect(p.time.ok() && p.time.value > 0, cache + ": it has a time");
    expect(p.verification.status == "ok", cache + ": it is right: " + p.verification.detail);
    expect(p.launch.known() && p.launch.blocks() > 0, cache + ": the launch was seen");
    expect(p.launch.registers.value_or(0) > 0, cache + ": registers are known");
    expect(p.launch.driver_blocks_per_sm.value_or(0) > 0, cache + ": the driver's occupancy is known");
    expect(!p.kernel.mangled.empty(), cache + ": the kernel's symbol is known");
    expect(!p.provenance.device.chip.empty(), cache + ": the chip is " + p.provenance.device.chip);

    source.collect(p,
                   {"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                    "sm__cycles_elapsed.avg.per_second", "no__such_counter.sum", "dram__bytes_read.nonsense"},
                   "first", options);
    const double time = counter(p, "gpu__time_duration.sum");
    const double read = counter(p, "dram__bytes_read.sum");
    const double half = p.work->min_bytes / 2;
    expect(std::abs(time - p.time.value) < 0.1 * p.time.value + 3000,
           cache + ": counter time " + text(time) + " fits the events' " + text(p.time.value));
    if (cache == "cold") {
        expect(read > 0.95 * half && read < 1.2 * half,
               "cold: reads " + text(read) + " bytes where the input has " + text(half));
        expect(counter(p, "dram__bytes_write.sum") < 1.2 * half, "cold: the flush leaves no writes behind");
    }
    expect(p.counters.at("no__such_counter.sum").status == Status::unsupported, cache + ": unknown counter");
    expect(p.counters.at("dram__bytes_read.nonsense").status == Status::unsupported,
           cache + ": unknown suffix");
    expect(p.provenance.clock_sm_mhz.value_or(0) > 100, cache + ": SM clock from the counter");

    // More passes, SASS counters and the check that passes do the same work.
    source.collect(p,
                   {"smsp__inst_executed.sum", "lts__t_sector_hit_rate.pct",
                    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
                    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__sass_inst_executed.sum"},
                   "second", options);
    const double instructions = counter(p, "smsp__inst_executed.sum");
    expect(instructions > 0, cache + ": instructions " + text(instructions));
    const double sass = counter(p, "smsp__sass_inst_executed.sum");
    expect(std::abs(sass - instructions) < 0.02 * instructions,
           cache + ": SASS counts the same: " + text(sass));
    expect(counter(p, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 0,
           cache + ": a copy has no FMA");
    for (const std::string& w : p.warnings) std::printf("     warning: %s\n", w.c_str());
    expect(p.provenance.stages.size() == 2, cache + ": two stages");
    std::printf("     %d passes\n", p.provenance.passes);
}

void check_cancel(kprof::CounterSource& source) {
    using namespace kprof;
    KernelRequest request;
    request.family = "copy";
    CollectOptions options;
    KernelProfile p = source.begin(request, options);
    options.cancelled = [] { return true; };
    source.collect(p, {"gpu__time_duration.sum"}, "first", options);
    expect(p.counters.at("gpu__time_duration.sum").status == Status::not_collected,
           "cancel: nothing is made up");
    options.cancelled = nullptr;
    p.counters.clear();
    source.collect(p, {"gpu__time_duration.sum"}, "first", options);
    expect(counter(p, "gpu__time_duration.sum") > 0, "cancel: collection works again afterwards");
}

}  // namespace

int main() {
    const kprof::GpuLook look = kprof::look_for_gpu();
    if (!look.usable) {
        std::printf("skipped: %s\n", look.why_not.c_str());
        return 77;
    }
    try {
        check_doctor();
        const auto source = kprof::make_live_source(kprof::plan_kernel);
        check_stream(*source, "cold");
        check_stream(*source, "warm");
        check_cancel(*source);
    } catch (const kprof::Error& e) {
        std::printf("FAIL %s\n     %s\n", e.what(), e.hint().c_str());
        return 1;
    }
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
