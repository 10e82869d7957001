// DRAM by reads, writes, copies and triads over buffers that no cache holds.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ceilings/cuda/bench.hpp"
#include "ceilings/cuda/loops.hpp"
#include "kernels/support/random_fill.hpp"

namespace kprof {
namespace {

using loops::Access;

struct Form {
    int per_thread = 1, threads = 256;
};
constexpr std::array<int, 3> accesses_per_thread{1, 4, 8}, block_sizes{256, 512, 1024};

struct Buffers {
    DeviceBuffer a, b, out;
    std::int64_t vectors = 0;
    double bytes() const { return static_cast<double>(vectors) * 16; }
};

// 1 GiB each, at least ten times the L2 cache; less where the GPU's free memory does not give it.
Buffers make_buffers(std::int64_t l2_bytes) {
    std::size_t free_bytes = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo");
    std::int64_t bytes = std::max<std::int64_t>(std::int64_t{1} << 30, 10 * l2_bytes);
    bytes = std::min(bytes, static_cast<std::int64_t>(free_bytes / 4));
    Buffers out;
    out.vectors = bytes / 16 / 8192 * 8192;
    const auto size = static_cast<std::size_t>(out.vectors) * 16;
    out.a = DeviceBuffer(size, "a buffer of kprof ceilings");
    out.b = DeviceBuffer(size, "a buffer of kprof ceilings");
    out.out = DeviceBuffer(size, "a buffer of kprof ceilings");
    fill_random(out.a.data(), out.vectors * 4, DType::fp32, 1);
    fill_random(out.b.data(), out.vectors * 4, DType::fp32, 2);
    return out;
}

void measure(Bench& bench, Access access, const char* name, const Buffers& buffers) {
    const auto launch = [&](const Form& form) {
        loops::stream(access, form.per_thread, form.threads, buffers.a.data(), buffers.b.data(),
                      buffers.out.data(), buffers.vectors, bench.sink());
    };
    Form best;
    double least = std::numeric_limits<double>::infinity();
    for (const int per_thread : accesses_per_thread) {
        for (const int threads : block_sizes) {
            const double ns = bench.glance([&] { launch({per_thread, threads}); });
            if (ns >= least) continue;
            least = ns;
            best = {per_thread, threads};
        }
    }
    const std::optional<Timed> timed = bench.time([&] { launch(best); });
    if (!timed) return;
    const std::string how =
        fmt::format("{}, {} x {:.2f} GiB, 16-byte accesses, {} a thread, {} threads", name,
                    loops::buffers_of(access), buffers.bytes() / (1 << 30), best.per_thread, best.threads);
    bench.add(bandwidth_roof("dram", how), buffers.bytes() * loops::buffers_of(access), *timed);
}

}  // namespace

void measure_dram(Bench& bench) {
    if (!bench.wanted("dram")) return;
    const Buffers buffers = make_buffers(bench.device().l2_bytes);
    const std::array<std::pair<Access, const char*>, 4> all{
        {{Access::read, "read"}, {Access::write, "write"}, {Access::copy, "copy"}, {Access::triad, "triad"}}};
    for (const auto& [access, name] : all) {
        if (bench.stopped()) return;
        bench.say(fmt::format("DRAM, {}", name));
        measure(bench, access, name, buffers);
    }
}

}  // namespace kprof
