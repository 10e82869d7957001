#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "collect/counter_source.hpp"
#include "core/version.hpp"
#include "roofline/machine.hpp"

namespace kprof {
namespace {

DeviceFacts facts_from(const Machine& m) {
    DeviceFacts d;
    d.name = m.name;
    d.chip = m.chip;
    d.vendor = m.vendor;
    d.sm_count = m.sm_count;
    d.clock_max_mhz = m.clock_mhz;
    d.memory_bytes = m.memory_bytes;
    d.l2_bytes = m.l2_bytes;
    d.smem_per_sm = m.sm.smem;
    d.smem_per_block_optin = m.sm.smem_per_block_max;
    d.smem_reserved_per_block = m.sm.smem_reserved;
    d.registers_per_sm = m.sm.registers;
    d.threads_per_sm = m.sm.max_threads;
    d.blocks_per_sm = m.sm.max_blocks;
    d.warp_size = m.sm.warp_size;
    return d;
}

class ModelSource : public CounterSource {
  public:
    ModelSource(Planner planner, Machine machine)
        : planner_(std::move(planner)), machine_(std::move(machine)) {}

    const char* kind() const override { return "model"; }

    KernelProfile begin(const KernelRequest& request, const CollectOptions& options) override {
        const KernelPlan plan = planner_(request);
        KernelProfile p;
        p.kernel = plan.id;
        p.work = plan.work;
        if (plan.launch) p.launch = *plan.launch;
        p.provenance.kind = kind();
        p.provenance.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
        p.provenance.kprof = version();
        p.provenance.device = facts_from(machine_);
        p.provenance.cache = options.cache;
        p.time = Measurement::missing("time", "ns", Status::not_collected,
                                      "the model runs nothing, so it has no time");
        p.verification.detail = "the model runs nothing";
        return p;
    }

    void collect(KernelProfile& p, const std::set<std::string>& counters, const std::string& /*stage*/,
                 const CollectOptions& /*options*/) override {
        for (const std::string& name : counters) {
            p.counters.emplace(
                name, Measurement::missing(name, "", Status::not_collected, "the model has no counters"));
        }
    }

  private:
    Planner planner_;
    Machine machine_;
};

}  // namespace

std::unique_ptr<CounterSource> make_model_source(const ConfigStore& store, Planner planner,
                                                 const std::string& machine_id) {
    if (!machine_id.empty()) {
        return std::make_unique<ModelSource>(std::move(planner), load_machine(store, machine_id));
    }
    std::vector<Machine> all = load_machines(store);
    if (all.empty()) {
        throw usage_error("there is no GPU description in configs/gpus to model on",
                          "name a folder that has one: --config-dir DIR");
    }
    return std::make_unique<ModelSource>(std::move(planner), std::move(all.front()));
}

}  // namespace kprof
