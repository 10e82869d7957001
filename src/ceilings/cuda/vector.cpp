// Vector pipes and the special-function pipe.
#include <fmt/format.h>

#include <algorithm>

#include "ceilings/cuda/bench.hpp"
#include "ceilings/cuda/loops.hpp"

namespace kprof {
namespace {

using loops::Arithmetic;

struct Kind {
    Arithmetic loop;
    const char *name, *pipe, *how;
};

void measure(Bench& bench, const Kind& kind) {
    bench.say(fmt::format("{} {}", kind.name, kind.pipe));
    const int blocks = bench.device().sm_count * 8;  // 2,048 threads an SM
    const double ns = bench.glance([&] { loops::arithmetic(kind.loop, blocks, 64, bench.sink()); });
    const auto iterations = static_cast<int>(std::clamp(64 * 2e6 / std::max(ns, 1.0), 64.0, 1e6));
    const std::optional<Timed> timed =
        bench.time([&] { loops::arithmetic(kind.loop, blocks, iterations, bench.sink()); });
    if (!timed) return;
    bench.add(compute_roof(kind.name, kind.pipe, kind.how),
              loops::arithmetic_work(kind.loop, blocks, iterations), *timed);
}

}  // namespace

void measure_vector(Bench& bench) {
    const Kind all[] = {
        {Arithmetic::fp64, "fp64", "vector", "FMA loop, 8 chains a thread, 2,048 threads an SM"},
        {Arithmetic::fp32, "fp32", "vector", "FMA loop, 8 chains a thread, 2,048 threads an SM"},
        {Arithmetic::fp16, "fp16", "vector",
         "packed FMA loop (half2), 8 chains a thread, 2,048 threads an SM"},
        {Arithmetic::bf16, "bf16", "vector",
         "packed FMA loop (bfloat162), 8 chains a thread, 2,048 threads an SM"},
        {Arithmetic::ex2, "special", "xu", "ex2 loop, 8 chains a thread, 2,048 threads an SM"},
        {Arithmetic::sin, "special", "xu", "sin loop, 8 chains a thread, 2,048 threads an SM"},
    };
    for (const Kind& kind : all) {
        if (bench.wanted(kind.name, kind.pipe)) bench.attempt(kind.name, [&] { measure(bench, kind); });
    }
}

}  // namespace kprof
