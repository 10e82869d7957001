// L1, L2 and shared memory: bandwidth over working sets of growing size, of which the plateaus are the roofs.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ceilings/cuda/bench.hpp"
#include "ceilings/cuda/loops.hpp"
#include "ceilings/plateau.hpp"
#include "kernels/support/random_fill.hpp"

namespace kprof {
namespace {

constexpr std::int64_t kilo = 1024;
// Of one SM, in KB (1,024 bytes); the last ones are beyond every L2.
constexpr std::array<std::int64_t, 18> sizes{16,  32,  48,  64,  80,  96,  128,  160,  192,
                                             224, 256, 320, 384, 512, 768, 1024, 2048, 4096};

// Loads a thread so that a launch takes some 2 ms and goes over its set eight times at least.
std::int64_t loads_for(const Bench& bench, const std::function<void(std::int64_t)>& launch,
                       std::int64_t loads_of_one_round) {
    const std::int64_t few = std::max<std::int64_t>(512, 8 * loads_of_one_round);
    const double ns = bench.glance([&] { launch(few); });
    const double wanted = static_cast<double>(few) * std::max(2e6 / std::max(ns, 1.0), 1.0);
    return static_cast<std::int64_t>(wanted) / 4 * 4;
}

// Every size for one kind of access. Stops early when cancelled.
void sweep(Bench& bench, bool through_l1, const DeviceBuffer& data) {
    const int sms = bench.device().sm_count;
    const std::string access = through_l1 ? "l1" : "l2";
    for (const std::int64_t size_kb : sizes) {
        const std::int64_t bytes = size_kb * kilo;
        if (bench.stopped() || bytes * sms > static_cast<std::int64_t>(data.bytes())) return;
        bench.say(fmt::format("{} by {} KB a SM", through_l1 ? "L1" : "L2", size_kb));
        const auto launch = [&](std::int64_t loads) {
            loops::read_set(through_l1, data.data(), bytes, loads, sms, bench.sink());
        };
        const std::int64_t loads = loads_for(bench, launch, bytes / loops::block_bytes_per_load);
        const std::optional<Timed> timed = bench.time([&] { launch(loads); }, 20);
        if (!timed) return;
        WorkingSet set;
        set.access = access;
        set.bytes_per_sm = bytes;
        set.value =
            static_cast<double>(loads * loops::block_bytes_per_load) * sms / (timed->median_ns * 1e-9);
        set.clock_mhz = timed->clock_mhz.value_or(0);
        set.spread = timed->spread;
        bench.run().section.working_sets.push_back(set);
    }
}

void add_plateau(Bench& bench, const std::string& level, const SizeRange& range, const std::string& how) {
    const std::optional<WorkingSet> found =
        plateau(bench.run().section.working_sets, level, range.from, range.to);
    if (!found) {
        if (!bench.stopped())
            bench.run().notes.push_back(level + ": no plateau among the working sets, so no roof");
        return;
    }
    Ceiling c = bandwidth_roof(
        level, fmt::format("{}, plateau at {} KB a SM, every SM its own", how, found->bytes_per_sm / kilo));
    c.value = c.best = found->value;
    c.spread = found->spread;
    c.clock_mhz = found->clock_mhz;
    bench.run().section.ceilings.push_back(std::move(c));
}

// A set that all SMs read, of a quarter of L2: each half of a divided L2 holds a copy.
void measure_common(Bench& bench, const DeviceBuffer& data) {
    const DeviceFacts& d = bench.device();
    const std::int64_t bytes = d.l2_bytes / 4 / loops::common_chunk * loops::common_chunk;
    if (bench.stopped() || bytes <= 0 || bytes > static_cast<std::int64_t>(data.bytes())) return;
    bench.say("L2, a common set");
    const int blocks = d.sm_count * 8;
    const auto launch = [&](std::int64_t passes) {
        loops::read_common(data.data(), bytes, passes, blocks, bench.sink());
    };
    const std::int64_t passes =
        std::max<std::int64_t>(64, static_cast<std::int64_t>(64 * 2e6 / bench.glance([&] { launch(64); })));
    const std::optional<Timed> timed = bench.time([&] { launch(passes); });
    if (!timed) return;
    bench.add(bandwidth_roof("l2", fmt::format("16-byte reads past L1, a common set of {:.1f} MB",
                                               static_cast<double>(bytes) / 1e6)),
              static_cast<double>(passes) * static_cast<double>(loops::common_chunk) * blocks, *timed);
}

void measure_shared(Bench& bench) {
    bench.say("shared memory");
    const int sms = bench.device().sm_count;
    const auto launch = [&](std::int64_t loads) { loops::read_shared(loads, sms, bench.sink()); };
    const std::int64_t loads = loads_for(bench, launch, 3);
    const std::optional<Timed> timed = bench.time([&] { launch(loads); });
    if (!timed) return;
    bench.add(bandwidth_roof("smem", "16-byte reads without bank conflicts, 48 KB a SM"),
              static_cast<double>(loads * loops::block_bytes_per_load) * sms, *timed);
}

}  // namespace

void measure_caches(Bench& bench) {
    const bool l1 = bench.wanted("l1"), l2 = bench.wanted("l2");
    const DeviceFacts& d = bench.device();
    if (l1 || l2) {
        std::size_t free_bytes = 0, total = 0;
        check_cuda(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo");
        // What does not fit is left out at the large end of the table.
        const std::size_t most =
            static_cast<std::size_t>(sizes.back() * kilo) * static_cast<std::size_t>(d.sm_count);
        const DeviceBuffer data(std::min(most, free_bytes / 2), "the working sets of kprof ceilings");
        fill_random(data.data(), static_cast<std::int64_t>(data.bytes() / 4), DType::fp32, 3);
        if (l1) sweep(bench, true, data);
        if (l2) sweep(bench, false, data);
        if (l2) measure_common(bench, data);
    }
    if (l1) add_plateau(bench, "l1", l1_range(d.smem_per_sm), "16-byte reads that may hit L1");
    if (l2) add_plateau(bench, "l2", l2_range(d.l2_bytes, d.sm_count), "16-byte reads past L1");
    if (bench.wanted("smem")) measure_shared(bench);
}

}  // namespace kprof
