// Hand-made kernels with the numbers of real ones on an H200, for the tests of the diagnosis.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/diagnose.hpp"

namespace kprof::test {

inline const ConfigStore& store() {
    static const ConfigStore s = ConfigStore::embedded_only();
    return s;
}
inline const RuleSet& rules() {
    static const RuleSet r = RuleSet::load(store());
    return r;
}
inline const Machine& h200() {
    // Without measured roofs: gains of the tests are worked out by hand from the published ones.
    static const Machine m = [] {
        Machine published = load_machine(store(), "h200");
        published.measured.clear();
        return published;
    }();
    return m;
}

struct Kernel {
    KernelProfile profile;
    MetricSet metrics;
    Placement placement;
    std::optional<Occupancy> occupancy;
    bool known_machine = true;

    Kernel& set(const std::string& id, double value, const std::string& unit = "%",
                Origin origin = Origin::counter) {
        metrics[id] = Measurement::of(id, value, unit, origin);
        return *this;
    }
    Kernel& missing(const std::string& id, Status status, const std::string& reason) {
        metrics[id] = Measurement::missing(id, "", status, reason);
        return *this;
    }
    Kernel& without(const std::string& id) {
        metrics.erase(id);
        return *this;
    }
    // Time in ms, DRAM bytes; sets what follows from them.
    Kernel& timed(double ms, double dram_bytes) {
        set("time", ms * 1e6, "ns", Origin::timer);
        set("dram_bytes", dram_bytes, "B");
        set("dram_bandwidth", dram_bytes / ms * 1e3, "B/s");
        set("dram_utilisation", 100 * dram_bytes / (ms * 1e-3) / 4.8e12);
        if (profile.work && profile.work->min_bytes > 0) {
            set("dram_traffic_ratio", dram_bytes / profile.work->min_bytes, "");
        }
        return *this;
    }
    Diagnosis diagnose(const RuleSet& with = rules()) const {
        const DiagnosisInput input{profile, metrics, known_machine ? &h200() : nullptr, &placement,
                                   &occupancy};
        return kprof::diagnose(input, with);
    }
};

// Nobody waits for shared memory, so that it is not the bound.
inline void no_shared_waits(Kernel& k) {
    k.set("stall_mio_throttle", 0.1, "cycles").set("stall_short_scoreboard", 0.1, "cycles");
}

inline Kernel gemm(const std::string& variant, const std::string& dtype, std::int64_t n) {
    Kernel k;
    k.profile.kernel.name = "gemm / " + variant;
    k.profile.kernel.family = "gemm";
    k.profile.kernel.variant = variant;
    k.profile.kernel.dtype = dtype;
    k.profile.kernel.shape.extents = {{"m", n}, {"n", n}, {"k", n}};
    const double cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    const double square = static_cast<double>(n) * static_cast<double>(n);
    const double bytes = dtype == "fp32" || dtype == "tf32" ? 4 : 2;
    k.profile.work = Work{2 * cube, 3 * bytes * square, dtype, true, "model"};
    k.profile.provenance.kind = "live";
    k.profile.verification.status = "ok";
    k.profile.launch.grid = {128, 128, 1};
    k.profile.launch.block = {32, 32, 1};
    k.profile.launch.registers = 32;
    k.set("sm_clock_hz", 1.98e9, "Hz");
    return k;
}

// The CUDA cores' FP32 product: the first stage.
inline Kernel naive_first_stage() {
    Kernel k = gemm("naive", "fp32", 4096);
    k.timed(23.4, 8.3e9);
    k.set("tensor_active", 0.004).set("occupancy_achieved", 99.6).set("issue_active", 40.3);
    k.set("eligible_warps", 3.0, "").set("l2_active", 6.1).set("l2_bytes", 21.4e9, "B");
    k.set("l1_hit_rate", 95).set("l2_hit_rate", 62).set("lsu_global_sectors", 10.74e9, "");
    return k;
}

inline Kernel naive() {
    Kernel k = naive_first_stage();
    k.set("lsu_active", 70.3).set("l1_bytes", 343.6e9, "B").set("fma_active", 27.5).set("alu_active", 4.5);
    k.set("fp64_active", 0).set("xu_active", 0).set("sectors_per_request", 2.5, "");
    k.set("stall_barrier", 0, "cycles").set("stall_long_scoreboard", 13.2, "cycles");
    k.set("stall_lg_throttle", 10.95, "cycles").set("stall_drain", 0.002, "cycles");
    no_shared_waits(k);
    return k;
}

inline Kernel tiled() {
    Kernel k = gemm("tiled", "fp32", 4096);
    k.timed(16.7, 4.4e9);
    k.set("tensor_active", 0.004).set("occupancy_achieved", 99.5).set("issue_active", 55);
    k.set("eligible_warps", 2.1, "").set("l2_active", 9).set("lsu_global_sectors", 0.54e9, "");
    k.set("lsu_active", 97.6).set("l1_bytes", 17e9, "B").set("fma_active", 38).set("alu_active", 4);
    k.set("fp64_active", 0).set("xu_active", 0).set("sectors_per_request", 4, "");
    return k;
}

inline Kernel wmma() {
    Kernel k = gemm("wmma", "bf16", 4096);
    k.timed(3.51, 1.2e9);
    k.set("tensor_active", 4.0).set("occupancy_achieved", 62).set("issue_active", 12);
    k.set("eligible_warps", 0.2, "").set("l2_active", 40).set("lsu_global_sectors", 1.1e9, "");
    k.set("lsu_active", 45).set("l1_bytes", 34e9, "B").set("fma_active", 3).set("alu_active", 4);
    k.set("fp64_active", 0).set("xu_active", 0).set("sectors_per_request", 8, "").set("excess_sectors", 0);
    k.set("stall_barrier", 0, "cycles").set("stall_long_scoreboard", 52, "cycles");
    k.set("stall_lg_throttle", 8, "cycles").set("stall_drain", 0, "cycles").set("stall_gmma", 0, "cycles");
    no_shared_waits(k);
    return k;
}

inline Kernel cublas(const std::string& dtype, std::int64_t n, double ms, double tensor) {
    Kernel k = gemm("cublas", dtype, n);
    k.timed(ms, 1.75 * k.profile.work->min_bytes);
    k.set("tensor_active", tensor).set("occupancy_achieved", 14.6).set("issue_active", 11.9);
    k.set("eligible_warps", 0.13, "").set("l2_active", 39).set("lsu_global_sectors", 0, "");
    k.set("sm_clock_hz", 1.64e9, "Hz");
    return k;
}

// Everything that a small product's later stages bring.
inline Kernel cublas_small(const std::string& dtype, std::int64_t n, double ms, double tensor) {
    Kernel k = cublas(dtype, n, ms, tensor);
    k.set("sm_clock_hz", 1.98e9, "Hz").set("lsu_active", 6).set("l1_bytes", 0, "B").set("fma_active", 0.1);
    k.set("alu_active", 3).set("fp64_active", 0).set("xu_active", 0).set("stall_barrier", 6, "cycles");
    k.set("stall_long_scoreboard", 3.8, "cycles").set("stall_lg_throttle", 0, "cycles");
    k.set("stall_drain", 0, "cycles");
    return k;
}

inline Kernel cublas_fp32() {
    Kernel k = gemm("cublas", "fp32", 4096);
    k.timed(2.67, 0.5e9);
    k.set("tensor_active", 0).set("occupancy_achieved", 12.4).set("issue_active", 88);
    k.set("eligible_warps", 1.2, "").set("l2_active", 12).set("lsu_global_sectors", 3e8, "");
    k.set("lsu_active", 30).set("l1_bytes", 9e9, "B").set("fma_active", 88).set("alu_active", 4);
    k.set("fp64_active", 0).set("xu_active", 0);
    return k;
}

inline Kernel stream(const std::string& family, double ms, double min_bytes, double dram_bytes) {
    Kernel k;
    k.profile.kernel.name = family;
    k.profile.kernel.family = family;
    k.profile.kernel.variant = "float4";
    k.profile.kernel.dtype = "fp32";
    k.profile.kernel.shape.extents = {{"n", std::int64_t{1} << 28}};
    k.profile.work = Work{0, min_bytes, "fp32", false, "model"};
    k.profile.provenance.kind = "live";
    k.profile.verification.status = "ok";
    k.timed(ms, dram_bytes);
    k.set("tensor_active", 0).set("occupancy_achieved", 80.5).set("issue_active", 8.3);
    k.set("eligible_warps", 0.11, "").set("l2_active", 43.6).set("lsu_global_sectors", 1.0e8, "");
    k.set("sm_clock_hz", 1.98e9, "Hz");
    return k;
}

// A transposing copy of 4096 x 4096: scattered stores.
inline Kernel strided() {
    Kernel k = stream("copy", 0.2518, 134.2e6, 121.4e6);
    k.profile.kernel.variant = "strided";
    k.set("occupancy_achieved", 55.9).set("issue_active", 5.7).set("eligible_warps", 0.22, "");
    k.set("l2_active", 23.5).set("lsu_global_sectors", 18.87e6, "").set("l2_hit_rate", 88.6);
    k.set("l2_tag_active", 65.8)
        .set("lsu_active", 29.5)
        .set("l1_bytes", 0.604e9, "B")
        .set("fma_active", 1.2)
        .set("alu_active", 3.2);
    k.set("fp64_active", 0)
        .set("xu_active", 0)
        .set("sectors_per_request", 18, "")
        .set("excess_sectors", 77.8);
    k.set("stall_barrier", 0, "cycles").set("stall_long_scoreboard", 46.5, "cycles");
    k.set("stall_lg_throttle", 0, "cycles").set("stall_drain", 98.6, "cycles");
    no_shared_waits(k);
    return k;
}

// A kernel whose registers leave room for few warps, all of which wait for memory.
inline Kernel hungry() {
    Kernel k = stream("occupancy", 2.0, 3.2e9, 3.2e9);
    k.set("occupancy_achieved", 18.6)
        .set("issue_active", 6)
        .set("eligible_warps", 0.08, "")
        .set("l2_active", 16);
    k.set("lsu_active", 4).set("l1_bytes", 3.2e9, "B").set("fma_active", 8).set("alu_active", 3);
    k.set("fp64_active", 0).set("xu_active", 0).set("sectors_per_request", 4, "");
    k.set("stall_barrier", 0, "cycles").set("stall_long_scoreboard", 44, "cycles");
    k.set("stall_lg_throttle", 0, "cycles").set("stall_drain", 0, "cycles");
    k.profile.launch.grid = {1 << 16, 1, 1};
    k.profile.launch.block = {128, 1, 1};
    k.profile.launch.registers = 160;
    Occupancy o;
    o.blocks_per_sm = 3;
    o.warps_per_sm = 12;
    o.fraction = 0.1875;
    o.limiters = {"registers"};
    o.waves = 165;
    k.occupancy = o;
    no_shared_waits(k);
    return k;
}

// A reduction with a barrier at every step.
inline Kernel barriers() {
    Kernel k = stream("reduce", 1.5, 1.07e9, 1.08e9);
    k.set("occupancy_achieved", 95)
        .set("issue_active", 45)
        .set("eligible_warps", 1.1, "")
        .set("l2_active", 9);
    k.set("lsu_active", 22).set("l1_bytes", 1.1e9, "B").set("fma_active", 9).set("alu_active", 20);
    k.set("fp64_active", 0).set("xu_active", 0).set("sectors_per_request", 4, "");
    k.set("stall_barrier", 17, "cycles").set("stall_long_scoreboard", 4, "cycles");
    k.set("stall_lg_throttle", 0, "cycles").set("stall_drain", 0, "cycles");
    no_shared_waits(k);
    return k;
}

inline const Step& step(const Diagnosis& d, int n) {
    return d.steps.at(static_cast<std::size_t>(n - 1));
}

inline const Finding* finding(const Diagnosis& d, const std::string& rule) {
    const auto found = std::find_if(d.findings.begin(), d.findings.end(),
                                    [&rule](const Finding& f) { return f.rule == rule; });
    return found == d.findings.end() ? nullptr : &*found;
}

inline bool wants(const Diagnosis& d, const std::string& metric) {
    return std::find(d.wanted.begin(), d.wanted.end(), metric) != d.wanted.end();
}

inline bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace kprof::test
