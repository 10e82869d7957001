// Every metric of the GH100 catalogue on one made-up profile, with values worked out by hand; and the traps
// that real kernels set.
#include <gtest/gtest.h>

#include <cmath>

#include "core/config_store.hpp"
#include "metrics/derive.hpp"

namespace kprof {
namespace {

const Catalogue& gh100() {
    static const Catalogue catalogue = Catalogue::load(ConfigStore::embedded_only(), "nvidia", "GH100");
    return catalogue;
}

void set(KernelProfile& p, const std::string& name, double value) {
    p.counters[name] = Measurement::of(name, value, "", Origin::counter);
}

// 1 ms, 4 GFLOP and 100 MB by definition.
KernelProfile example() {
    KernelProfile p;
    p.time = Measurement::of("time", 1e6, "ns", Origin::timer);
    p.work = Work{};
    p.work->flops = 4e9;
    p.work->min_bytes = 1e8;
    p.provenance.device.sm_count = 100;
    const std::map<std::string, double> sass = {{"fadd", 1e8}, {"fmul", 2e8}, {"ffma", 1e9},
                                                {"dadd", 10},  {"dmul", 20},  {"dfma", 100},
                                                {"hadd", 1e6}, {"hmul", 2e6}, {"hfma", 3e6}};
    for (const auto& [op, n] : sass) set(p, "sm__sass_thread_inst_executed_op_" + op + "_pred_on.sum", n);
    const std::map<std::string, double> tensor = {{"op_hgmma_src_bf16_dst_fp32_sparsity_off", 1e9},
                                                  {"op_hmma_src_bf16_dst_fp32_sparsity_off", 2e9},
                                                  {"op_hgmma_src_fp16_sparsity_off", 1e9},
                                                  {"op_hmma_src_fp16_dst_fp16_sparsity_off", 2e9},
                                                  {"op_hmma_src_fp16_dst_fp32_sparsity_off", 3e9},
                                                  {"op_hgmma_src_tf32_dst_fp32_sparsity_off", 4e8},
                                                  {"op_hmma_src_tf32_dst_fp32_sparsity_off", 1e8},
                                                  {"src_fp8_sparsity_off", 7e8},
                                                  {"op_igmma_src_int8_sparsity_off", 1e6},
                                                  {"op_imma_src_int8_sparsity_off", 2e6},
                                                  {"src_fp64", 9e6}};
    for (const auto& [op, n] : tensor) set(p, "sm__ops_path_tensor_" + op + ".sum", n);
    const std::map<std::string, double> instructions = {
        {"hmma", 5000}, {"hmma_type_hfma2", 1000}, {"gmma", 3000}, {"imma", 10}, {"dmma", 5}};
    for (const auto& [op, n] : instructions) set(p, "sm__inst_executed_pipe_tensor_op_" + op + ".sum", n);
    const std::map<std::string, double> others = {
        {"sm__cycles_elapsed.avg.per_second", 1.7e9},
        {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 61},
        {"smsp__inst_executed.sum", 3e8},
        {"sm__cycles_active.avg", 1.5e6},
        {"sm__cycles_active.max", 2e6},
        {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", 88},
        {"dram__bytes_read.sum", 3e8},
        {"dram__bytes_write.sum", 1e8},
        {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 42},
        {"lts__t_sectors.sum", 2.5e7},
        {"lts__t_sectors.avg", 3e5},
        {"lts__t_sectors.max", 4e5},
        {"lts__t_sectors.avg.pct_of_peak_sustained_elapsed", 33},
        {"lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed", 22},
        {"lts__t_sectors_lookup_hit.sum", 3e6},
        {"lts__t_sectors_lookup_miss.sum", 1e6},
        {"lts__t_sectors_op_atom.sum", 100},
        {"lts__t_sectors_op_red.sum", 23},
        {"lts__t_sectors_srcunit_tex.sum", 2e7},
        {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", 7},
        {"l1tex__t_sector_hit_rate.pct", 81},
        {"l1tex__t_sectors.sum", 5e7},
        {"l1tex__m_xbar2l1tex_read_bytes_pipe_tma.sum", 3e8},
        {"l1tex__m_l1tex2xbar_write_bytes_pipe_tma.sum", 1e8},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 3e7},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1e7},
        {"smsp__inst_executed_op_global_ld.sum", 1e6},
        {"smsp__inst_executed_op_global_st.sum", 1e6},
        {"smsp__inst_executed_op_ldgsts.sum", 5e5},
        {"smsp__sass_data_bytes_mem_global_op_ld.sum", 2e8},
        {"smsp__sass_data_bytes_mem_global_op_ldgsts.sum", 1e8},
        {"smsp__sass_data_bytes_mem_global_op_st.sum", 2e7},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 2e7},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", 1e7},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 1e7},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 5},
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 2},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 4e6},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 1e6},
        {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", 71},
        {"sm__warps_active.avg.pct_of_peak_sustained_active", 55},
        {"smsp__issue_active.avg.pct_of_peak_sustained_active", 44},
        {"smsp__warps_eligible.avg.per_cycle_active", 1.25},
        {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", 31},
        {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 32},
        {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", 34},
        {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 35},
        {"smsp__average_thread_inst_executed_per_inst_executed.ratio", 30.5},
        {"smsp__sass_branch_targets.sum", 200},
        {"smsp__sass_branch_targets_threads_uniform.sum", 150}};
    for (const auto& [name, value] : others) set(p, name, value);
    return p;
}

// In the order of the hardware's list; the value of a reason is its place, so that no two can be swapped.
const std::vector<std::pair<std::string, std::string>>& stalls() {
    static const std::vector<std::pair<std::string, std::string>> list = {
        {"barrier", "barrier"},
        {"branch_resolving", "branch_resolving"},
        {"dispatch", "dispatch_stall"},
        {"drain", "drain"},
        {"gmma", "gmma"},
        {"imc_miss", "imc_miss"},
        {"lg_throttle", "lg_throttle"},
        {"long_scoreboard", "long_scoreboard"},
        {"math_pipe_throttle", "math_pipe_throttle"},
        {"membar", "membar"},
        {"mio_throttle", "mio_throttle"},
        {"misc", "misc"},
        {"no_instruction", "no_instruction"},
        {"not_selected", "not_selected"},
        {"selected", "selected"},
        {"short_scoreboard", "short_scoreboard"},
        {"sleeping", "sleeping"},
        {"tex_throttle", "tex_throttle"},
        {"wait", "wait"}};
    return list;
}

std::map<std::string, double> expected_values() {
    return {
        {"time", 1e6},
        {"flop_rate", 4e12},
        {"waves", 2.5},
        {"occupancy_theoretical", 75},
        {"sm_clock_hz", 1.7e9},
        {"instructions", 3e8},
        {"flops_fp32", 2.3e9},  // 0.1 + 0.2 + 2 * 1 G
        {"flops_fp64", 230},    // 10 + 20 + 2 * 100
        {"flops_fp16", 18e6},   // 2 * 1 + 2 * 2 + 4 * 3 M
        {"fma_share", 100 * 2.0 / 2.3},
        {"flops_tensor_bf16", 3e9},
        {"flops_tensor_fp16", 6e9},
        {"flops_tensor_tf32", 5e8},
        {"flops_tensor_fp8", 7e8},
        {"flops_tensor_fp64", 9e6},
        {"ops_tensor_int8", 3e6},
        {"flops", 12527000230.0},  // all of the above but int8
        {"tensor_active", 61},
        {"tensor_instructions", 4015},  // max(5000 - 1000, 3000) + 10 + 5
        {"ipc", 2},                     // 3e8 / (1.5e6 * 100)
        {"dram_read_bytes", 3e8},
        {"dram_write_bytes", 1e8},
        {"dram_bytes", 4e8},
        {"dram_bandwidth", 4e11},
        {"dram_utilisation", 42},
        {"dram_traffic_ratio", 4},
        {"intensity_dram", 10},
        {"intensity_l2", 5},
        {"intensity_l1", 2},
        {"l2_bytes", 8e8},
        {"l2_sm_bytes", 6.4e8},
        {"l2_bandwidth", 8e11},
        {"l2_active", 33},
        {"l2_tag_active", 22},
        {"l2_slice_balance", 75},
        {"l2_hit_rate", 75},
        {"l1_hit_rate", 81},
        {"tma_bytes", 4e8},
        {"l1_bytes", 2e9},  // 32 * 50 M + 0.4 G
        {"lsu_global_sectors", 4e7},
        {"global_requests", 2.5e6},
        {"sectors_per_request", 16},
        {"bytes_per_sector", 8},  // 320 MB / 40 M
        {"excess_sectors", 75},
        {"local_bytes", 224},
        {"shared_wavefronts", 4e6},
        {"bank_conflicts", 1e6},
        {"bank_conflict_share", 25},
        {"atomic_sectors", 123},
        {"atomic_unit_active", 7},
        {"occupancy_achieved", 55},
        {"sm_active_share", 88},
        {"sm_balance", 75},
        {"issue_active", 44},
        {"eligible_warps", 1.25},
        {"fma_active", 31},
        {"alu_active", 32},
        {"fp64_active", 34},
        {"xu_active", 35},
        {"lsu_active", 71},
        {"threads_per_instruction", 30.5},
        {"branch_uniformity", 75},
    };
}

TEST(Gh100, EveryMetricOnOneProfile) {
    KernelProfile p = example();
    auto expected = expected_values();
    // FP64 instructions are few beside a pipe that is said to be 34 % busy, but not 0: that is for rules to
    // see.
    double place = 1.5;
    for (const auto& [id, counter] : stalls()) {
        set(p, "smsp__average_warps_issue_stalled_" + counter + "_per_issue_active.ratio", place);
        expected["stall_" + id] = place;
        place += 1;
    }
    const MetricSet m = derive(p, gh100(), {{"theoretical_occupancy", 0.75}, {"waves", 2.5}});
    for (const auto& id : gh100().ids()) {
        ASSERT_EQ(expected.count(id), 1U) << "metric '" << id << "' has no row in this table";
        ASSERT_TRUE(m.at(id).ok()) << id << ": " << m.at(id).reason;
        EXPECT_NEAR(m.at(id).value, expected[id], 1e-9 * std::abs(expected[id])) << id;
    }
    EXPECT_EQ(expected.size(), gh100().ids().size());
}

TEST(Gh100, EveryCounterOfFirstChoiceCounts) {
    // Taking any one of its counters away takes the metric away or moves it to an alternative that says so.
    const KernelProfile whole = example();
    for (const auto& id : gh100().ids()) {
        const MetricDef& def = *gh100().find(id);
        if (def.alternatives.empty() || def.alternatives.front().when) continue;
        for (const auto& name : def.alternatives.front().formula.names()) {
            if (!is_counter(name)) continue;
            KernelProfile p = whole;
            p.counters.erase(name);
            const Measurement m = derive(p, gh100()).at(id);
            EXPECT_TRUE(!m.ok() || !m.reason.empty()) << id << " without " << name;
        }
    }
}

TEST(Gh100, TimeFallsBackToTheProfiler) {
    KernelProfile p;
    set(p, "gpu__time_duration.sum", 123);
    const Measurement m = derive(p, gh100()).at("time");
    EXPECT_EQ(m.value, 123);
    EXPECT_EQ(m.reason, "the profiler's own duration");
    EXPECT_EQ(m.origin, Origin::counter);
}

TEST(Gh100, FlopsWithoutTensorInstructionsNeedNoTensorCounters) {
    KernelProfile p = example();
    for (auto it = p.counters.begin(); it != p.counters.end();) {
        it = it->first.find("sm__ops_path") == 0 ? p.counters.erase(it) : std::next(it);
    }
    p.work.reset();
    EXPECT_FALSE(derive(p, gh100()).at("flops").ok());
    // Packed FP16 arithmetic is not a matrix instruction.
    for (const char* op : {"gmma", "imma", "dmma"})
        set(p, std::string("sm__inst_executed_pipe_tensor_op_") + op + ".sum", 0);
    set(p, "sm__inst_executed_pipe_tensor_op_hmma.sum", 1000);
    set(p, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 0.8);
    const MetricSet m = derive(p, gh100());
    EXPECT_EQ(m.at("tensor_instructions").value, 0);
    EXPECT_DOUBLE_EQ(m.at("flops").value, 2.3e9 + 230 + 18e6);
    EXPECT_DOUBLE_EQ(m.at("flop_rate").value, (2.3e9 + 230 + 18e6) / 1e-3);
    EXPECT_NE(m.at("flop_rate").reason.find("counted"), std::string::npos);
    EXPECT_EQ(gh100().counters_for({"flops"}).count("sm__ops_path_tensor_src_fp8_sparsity_off.sum"), 0U);
}

TEST(Gh100, WorkStandsInForFlopsThatWereNotCounted) {
    KernelProfile p;
    p.work = Work{};
    p.work->flops = 7;
    const Measurement m = derive(p, gh100()).at("flops");
    EXPECT_EQ(m.value, 7);
    EXPECT_EQ(m.origin, Origin::model);
    EXPECT_NE(m.reason, "");
}

TEST(Gh100, ZeroOnABusyPipeIsNotAValue) {
    const std::string fp64 = "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed";
    KernelProfile p = example();
    for (auto& [name, value] : p.counters) {
        if (name.find("sm__ops_path") == 0 || name.find("sm__sass") == 0) value.value = 0;
    }
    EXPECT_EQ(derive(p, gh100()).at("flops_fp64").status, Status::failed);
    set(p, fp64, 0);
    MetricSet m = derive(p, gh100());
    EXPECT_EQ(m.at("flops_fp64").value, 0);
    EXPECT_TRUE(m.at("flops_fp64").ok());
    EXPECT_EQ(m.at("flops").status, Status::failed);
    EXPECT_NE(m.at("flops").reason.find("0 counted on a busy pipe"), std::string::npos)
        << m.at("flops").reason;
    // An integer product keeps the tensor pipe busy and has no floating-point operations.
    set(p, "sm__ops_path_tensor_op_igmma_src_int8_sparsity_off.sum", 1e9);
    m = derive(p, gh100());
    EXPECT_TRUE(m.at("flops").ok()) << m.at("flops").reason;
    EXPECT_EQ(m.at("flops").value, 0);
}

TEST(Gh100, NoSharedMemoryMeansNoConflicts) {
    KernelProfile p;
    set(p, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 0);
    set(p, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 0);
    EXPECT_EQ(derive(p, gh100()).at("bank_conflict_share").value, 0);
}

TEST(Gh100, AnEmptyProfileHasNoValues) {
    for (const auto& [id, m] : derive(KernelProfile{}, gh100())) {
        EXPECT_FALSE(m.ok()) << id;
        EXPECT_FALSE(m.reason.empty()) << id;
    }
}

TEST(Ga100, CountsMatrixInstructionsWithoutPackedHalf) {
    const Catalogue ga100 = Catalogue::load(ConfigStore::embedded_only(), "nvidia", "GA100");
    KernelProfile p;
    set(p, "sm__inst_executed_pipe_tensor_op_hmma.sum", 100);
    set(p, "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 40);
    set(p, "sm__inst_executed_pipe_tensor_op_imma.sum", 3);
    set(p, "sm__inst_executed_pipe_tensor_op_dmma.sum", 2);
    set(p, "l1tex__t_sectors.sum", 10);
    const MetricSet m = derive(p, ga100);
    EXPECT_EQ(m.at("tensor_instructions").value, 65);
    EXPECT_EQ(m.at("l1_bytes").value, 320);
    EXPECT_EQ(m.at("flops_tensor_fp8").status, Status::unsupported);
    EXPECT_EQ(m.at("stall_gmma").status, Status::unsupported);
}

TEST(Gh100, StallsHaveAnUpperBound) {
    const std::map<std::string, std::string> counters = {
        {"barrier", "barrier"}, {"long_scoreboard", "long_scoreboard"}, {"mio_throttle", "mio_throttle"}};
    for (const auto& [stall, counter] : counters) {
        KernelProfile p = example();
        const std::string name = "smsp__average_warps_issue_stalled_" + counter + "_per_issue_active.ratio";
        set(p, name, 9e4);
        EXPECT_TRUE(derive(p, gh100()).at("stall_" + stall).ok()) << stall;
        set(p, name, 1e300);
        EXPECT_EQ(derive(p, gh100()).at("stall_" + stall).status, Status::failed) << stall;
    }
    for (const std::string& id : gh100().ids()) {
        const bool bounded = gh100().find(id)->max.has_value();
        EXPECT_TRUE(bounded || id.rfind("stall_", 0) != 0) << id;
    }
}

}  // namespace
}  // namespace kprof
