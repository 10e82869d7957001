// Analysed kernels made by hand: what a view shows must not depend on what the rules of today conclude.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "core/strings.hpp"
#include "report/report.hpp"

namespace kprof::test {

inline Machine h200() {
    Machine m;
    m.id = "h200";
    m.name = "NVIDIA H200 SXM";
    m.vendor = "nvidia";
    m.arch = "hopper";
    m.chip = "GH100";
    m.sm_count = 132;
    m.clock_mhz = 1980;
    m.ceilings = {{"bandwidth", "dram", "", 4.8e12, "B/s", "datasheet", "a data sheet", "V", 0},
                  {"compute", "fp32", "vector", 66.9e12, "FLOP/s", "datasheet", "a data sheet", "V", 1980},
                  {"compute", "tf32", "tensor", 494.7e12, "FLOP/s", "datasheet", "a data sheet", "V", 1830}};
    return m;
}

inline void put(Analysed& a, const std::string& id, double value, const std::string& unit) {
    a.metrics.insert_or_assign(id, Measurement::of(id, value, unit, Origin::counter));
}

inline Step step(int n, const std::string& rule, const std::string& title, StepState state,
                 std::optional<double> value, const std::string& op, double threshold,
                 const std::string& unit, const std::string& why) {
    Step s;
    s.step = n;
    s.rule = rule;
    s.title = title;
    s.state = state;
    s.value = value;
    s.op = op;
    s.threshold = threshold;
    s.unit = unit;
    s.why = why;
    s.threshold_origin = "configs/rules/" + rule + ".json";
    return s;
}

inline RooflinePoint point(const std::string& level, double intensity) {
    RooflinePoint p;
    p.machine = "h200";
    p.level = level;
    p.precision = "fp32";
    p.pipe = "vector";
    p.intensity = intensity;
    p.performance = 6.0e12;
    p.attainable = 66.9e12;
    p.compute_roof = 66.9e12;
    p.bandwidth_roof = 4.8e12;
    p.ridge = 13.9;
    p.bound = "compute";
    p.fraction = 0.0896;
    p.origin = "counter";
    return p;
}

// The naive matrix product of the documentation's first screen.
inline Analysed naive_gemm() {
    Analysed a;
    KernelProfile& p = a.profile;
    p.kernel = {"gemm / naive",
                "_Z10gemm_naive",
                "gemm_naive",
                "gemm",
                "naive",
                "fp32",
                Shape{{{"m", 4096}, {"n", 4096}, {"k", 4096}}}};
    p.launch.grid = {128, 128, 1};
    p.launch.block = {32, 32, 1};
    p.launch.registers = 32;
    p.provenance.kind = "live";
    p.provenance.date = "2026-11-30T12:00:00Z";
    p.provenance.driver = "580.159";
    p.provenance.cupti = "13.0";
    p.provenance.passes = 2;
    p.provenance.repeats = 20;
    p.provenance.cache = "cold";
    p.provenance.clock_sm_mhz = 1980;
    p.provenance.device.name = "NVIDIA H200";
    p.provenance.device.chip = "GH100";
    p.time = Measurement::of("time", 22.93e6, "ns", Origin::timer);
    p.time.spread = 0.001;
    p.counters.insert_or_assign("dram__bytes_read.sum",
                                Measurement::of("dram__bytes_read.sum", 8.2e9, "", Origin::counter));
    p.work = Work{1.374e11, 2.01e8, "fp32", true, "model"};
    p.verification = {"ok", 1e-7, 1e-5, ""};
    a.machine = h200();
    a.occupancy = Occupancy{2, 64, 1.0, 2, 32, 2, {}, 8, {"warps"}, 62.06, ""};
    a.metrics.insert_or_assign("time", p.time);
    put(a, "flop_rate", 6.0e12, "FLOP/s");
    put(a, "dram_bandwidth", 3.63e11, "B/s");
    put(a, "l1_hit_rate", 95, "%");
    put(a, "l2_hit_rate", 42, "%");
    put(a, "tensor_active", 0, "%");
    put(a, "occupancy_achieved", 99.5, "%");
    put(a, "issue_active", 41, "%");
    put(a, "stall_long_scoreboard", 13.2, "cycles");
    put(a, "stall_lg_throttle", 11.0, "cycles");
    put(a, "stall_not_selected", 6.4, "cycles");
    put(a, "stall_barrier", 0.0, "cycles");
    a.placement.points = {point("dram", 16.5)};
    Diagnosis& d = a.diagnosis;
    d.verdict =
        "The tensor cores are idle: this FP32 product runs on the CUDA cores at 9 % of their roof and "
        "fetches 41× the "
        "minimum from DRAM.";
    d.rule = "tensor_cores";
    d.steps = {step(1, "tensor_cores", "tensor cores", StepState::fail, 0.0, ">=", 30, "%",
                    "a matrix product without tensor cores"),
               step(2, "coalescing", "coalescing", StepState::pass, 0.0, "<=", 10, "%", ""),
               step(3, "occupancy", "occupancy", StepState::pass, 99.5, ">=", 30, "%", "limited by warps"),
               step(4, "barriers", "barrier stalls", StepState::not_applicable, std::nullopt, "<=", 10, "",
                    "the kernel has no barrier"),
               step(5, "dram_traffic", "DRAM traffic", StepState::not_measured, std::nullopt, "<=", 3, "",
                    "dram__bytes_read.sum was not collected")};
    Finding f;
    f.rule = "tensor_cores";
    f.severity = "high";
    f.step = 1;
    f.title = "tensor cores are idle";
    f.gain = 57;
    f.gain_assumes = "the library reaches 80 % of the TF32 roof";
    f.evidence = {{"tensor_active", 0.0, "<", 30, "%"}};
    f.advice = "Use TF32 or BF16 inputs; the dimensions are multiples of 64 already.";
    f.try_command = "kprof run gemm --variant cublas --dtype tf32";
    Finding g;
    g.rule = "dram_traffic";
    g.severity = "medium";
    g.step = 5;
    g.advice = "Tile in shared memory.";
    d.findings = {f, g};
    d.bound_model = {{"dram", 1.7e6, ""}, {"xu", std::nullopt, "not collected"}};
    return a;
}

// A kernel that only moves data, from a recording.
inline Analysed recorded_copy() {
    Analysed a = naive_gemm();
    a.profile.kernel = {"copy", "", "copy", "copy", "", "fp32", Shape{{{"n", 268435456}}}};
    a.profile.provenance.kind = "recording";
    a.profile.work = Work{0, 2.147e9, "", false, "model"};
    a.profile.time = Measurement::of("time", 5.0e5, "ns", Origin::timer);
    RooflinePoint p;
    p.machine = "h200";
    p.level = "dram";
    p.bandwidth_roof = 4.8e12;
    p.bound = "memory";
    p.fraction = 0.895;
    p.origin = "counter";
    a.placement.points = {p};
    a.metrics.erase("flop_rate");
    put(a, "dram_bandwidth", 4.295e12, "B/s");
    a.diagnosis.verdict = "At its limit: DRAM.";
    a.diagnosis.rule.clear();
    a.diagnosis.at_limit = "dram";
    a.diagnosis.findings.clear();
    return a;
}

inline Analysed wrong_gemm() {
    Analysed a = naive_gemm();
    a.profile.verification = {"wrong", 0.4, 1e-5, "first difference at [0][7]"};
    a.diagnosis.status = "wrong_result";
    a.diagnosis.verdict = "The result is wrong: relative error 0.4, tolerance 1e-5.";
    a.diagnosis.rule.clear();
    a.diagnosis.findings.clear();
    return a;
}

inline RooflinePoint on_mi300x(bool flops) {
    RooflinePoint p;
    p.machine = "mi300x";
    p.level = "dram";
    p.what_if = true;
    p.bandwidth_roof = 5.3e12;
    p.bound = flops ? "compute" : "memory";
    p.precision = flops ? "fp32" : "";
    p.intensity = flops ? 683 : 0;
    p.attainable = flops ? 163.4e12 : 0;
    p.performance = p.attainable;
    p.compute_roof = p.attainable;
    p.time_ns = flops ? 8.4e5 : 4.05e5;
    p.origin = "model";
    return p;
}

inline const ConfigStore& store() {
    static const ConfigStore s = ConfigStore::embedded_only();
    return s;
}

inline std::size_t widest(const std::string& text) {
    std::size_t w = 0;
    for (const std::string& line : split(text, '\n')) w = std::max(w, display_width(line));
    return w;
}

// Holds `text` against tests/golden/text/NAME; KPROF_UPDATE_GOLDEN=1 rewrites the file, to be reviewed in the
// diff.
inline void expect_golden(const std::string& text, const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(KPROF_SOURCE_DIR) / "tests/golden/text" / name;
    const char* update = std::getenv("KPROF_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    std::ifstream in(path);
    ASSERT_TRUE(in) << path << " is missing; write it with KPROF_UPDATE_GOLDEN=1";
    std::stringstream wanted;
    wanted << in.rdbuf();
    EXPECT_EQ(wanted.str(), text);
}

}  // namespace kprof::test
