// Tensor cores three ways: the vendor's library, mma.sync from registers, wgmma from shared memory. The
// highest counts; each is kept under its name.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>

#include "ceilings/cuda/bench.hpp"
#include "ceilings/cuda/library_product.hpp"
#include "ceilings/cuda/loops.hpp"

namespace kprof {
namespace {

using loops::Matrix;

// Power lowers the clock under this load only after some time.
constexpr double settle_ms = 250;

struct Kind {
    Matrix type;
    const char* name;
    std::int64_t n;  // of the library's product
};

void by_library(Bench& bench, const Kind& kind) {
    LibraryLoop product(kind.type, kind.n);
    int best = 0;
    double least = 0;
    for (int i = 0; i < product.choices() && !bench.stopped(); ++i) {
        product.choose(i);
        const double ns = bench.glance([&] { product.run(); });
        if (least == 0 || ns < least) {
            least = ns;
            best = i;
        }
    }
    product.choose(best);
    const std::optional<Timed> timed = bench.time([&] { product.run(); }, settle_ms);
    if (!timed) return;
    bench.add(compute_roof(kind.name, "tensor", fmt::format("cuBLASLt, {0} x {0} x {0}", kind.n)),
              product.work(), *timed);
}

using Loop = void (*)(Matrix, int, int, const void*, unsigned*, unsigned*);

// What a launch left in *done: 0 where this chip's code has no such instruction.
unsigned variant_run(const Bench& bench, const std::function<void(int)>& launch) {
    check_cuda(cudaMemset(bench.done(), 0, sizeof(unsigned)), "cudaMemset");
    launch(1);
    unsigned done = 0;
    check_cuda(cudaMemcpy(&done, bench.done(), sizeof(done), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return done;
}

void by_instruction(Bench& bench, const Kind& kind, Loop loop, const char* name, int blocks_per_sm) {
    const DeviceBuffer random(loops::operand_bytes, "random operands");
    fill_operands(random.data(), loops::operand_bytes / static_cast<std::int64_t>(operand_size(kind.type)),
                  kind.type, 13);
    const int blocks = bench.device().sm_count * blocks_per_sm;
    const auto launch = [&](int iterations) {
        loop(kind.type, blocks, iterations, random.data(), bench.sink(), bench.done());
    };
    const unsigned variant = variant_run(bench, launch);
    if (variant == 0) return;
    const double ns = bench.glance([&] { launch(256); });
    const auto iterations = static_cast<int>(std::clamp(256 * 2e6 / std::max(ns, 1.0), 256.0, 1e6));
    const std::optional<Timed> timed = bench.time([&] { launch(iterations); }, settle_ms);
    if (!timed) return;
    const double work = loop == &loops::wgmma
                            ? loops::wgmma_work(kind.type, blocks, iterations)
                            : loops::mma_sync_work(kind.type, variant == 2, blocks, iterations);
    bench.add(compute_roof(kind.name, "tensor", fmt::format("{}, random operands", name)), work, *timed);
}

}  // namespace

void measure_tensor(Bench& bench) {
    const Kind all[] = {{Matrix::fp64, "fp64", 4096}, {Matrix::tf32, "tf32", 8192},
                        {Matrix::bf16, "bf16", 8192}, {Matrix::fp16, "fp16", 8192},
                        {Matrix::fp8, "fp8", 8192},   {Matrix::int8, "int8", 8192}};
    const bool hopper = bench.device().cc_major == 9 && bench.device().cc_minor == 0;
    const bool has_fp8 = bench.device().cc_major * 10 + bench.device().cc_minor >= 89;
    for (const Kind& kind : all) {
        if (!bench.wanted(kind.name, "tensor") || (kind.type == Matrix::fp8 && !has_fp8)) continue;
        bench.say(fmt::format("{} tensor, mma.sync", kind.name));
        bench.attempt(fmt::format("{} by mma.sync", kind.name),
                      [&] { by_instruction(bench, kind, &loops::mma_sync, "mma.sync from registers", 4); });
        if (hopper && kind.type != Matrix::fp64) {
            bench.say(fmt::format("{} tensor, wgmma", kind.name));
            bench.attempt(fmt::format("{} by wgmma", kind.name),
                          [&] { by_instruction(bench, kind, &loops::wgmma, "wgmma from shared memory", 1); });
        }
        bench.say(fmt::format("{} tensor, cuBLASLt", kind.name));
        bench.attempt(fmt::format("{} by cuBLASLt", kind.name), [&] { by_library(bench, kind); });
    }
}

}  // namespace kprof
