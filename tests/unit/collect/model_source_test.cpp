#include <gtest/gtest.h>

#include "collect/counter_source.hpp"
#include "roofline/machine.hpp"

namespace kprof {
namespace {

KernelPlan plan_of(const KernelRequest& request) {
    KernelPlan plan;
    plan.id.family = request.family;
    plan.work.flops = 42;
    plan.work.min_bytes = 7;
    plan.launch = Launch{};
    plan.launch->grid = {8, 1, 1};
    plan.launch->block = {256, 1, 1};
    return plan;
}

TEST(ModelSource, GivesWorkLaunchAndMachineWithoutTimeOrCounters) {
    const ConfigStore store = ConfigStore::embedded_only();
    const std::vector<Machine> machines = load_machines(store);
    ASSERT_FALSE(machines.empty());
    const Machine& machine = machines.back();
    const auto source = make_model_source(store, plan_of, machine.id);
    EXPECT_STREQ(source->kind(), "model");
    KernelProfile p = source->begin({"gemm", "naive", "fp32", {}}, {});
    EXPECT_EQ(p.provenance.kind, "model");
    EXPECT_EQ(p.provenance.device.name, machine.name);
    EXPECT_EQ(p.provenance.device.sm_count, machine.sm_count);
    EXPECT_DOUBLE_EQ(p.work->flops, 42);
    EXPECT_EQ(p.launch.blocks(), 8);
    EXPECT_FALSE(p.time.ok());
    source->collect(p, {"dram__bytes_read.sum"}, "first", {});
    EXPECT_EQ(p.counters.at("dram__bytes_read.sum").status, Status::not_collected);
    EXPECT_NE(p.counters.at("dram__bytes_read.sum").reason.find("model"), std::string::npos);
}

TEST(ModelSource, DefaultsToTheFirstMachineAndRejectsUnknownOnes) {
    const ConfigStore store = ConfigStore::embedded_only();
    const auto source = make_model_source(store, plan_of, "");
    EXPECT_EQ(source->begin({}, {}).provenance.device.name, load_machines(store).front().name);
    EXPECT_THROW(make_model_source(store, plan_of, "no-such-gpu"), Error);
}

}  // namespace
}  // namespace kprof
