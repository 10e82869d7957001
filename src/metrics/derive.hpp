// derive(): raw counters and facts -> metrics. Pure.
#pragma once

#include <map>
#include <string>

#include "core/profile.hpp"
#include "metrics/catalogue.hpp"

namespace kprof {

using Facts = std::map<std::string, double>;

// The facts that a profile itself carries; names as in fact_names(). What is not known is left out, never 0:
//   time_ns                 duration of one run, ns
//   work_flops, min_bytes   from the kernel's definition, an annotation or a bound (FLOP, B)
//   blocks, threads_per_block, registers (per thread), smem_per_block (B), local_bytes_per_thread (B)
//   sm_count, clock_max_mhz
Facts facts_of(const KernelProfile& p);

// Every metric of the catalogue, each with a status: ok; unsupported (the chip has no such counter); failed
// (the counter was asked for and gave nothing, the formula gave no finite number, the metric has no meaning
// for this kernel, or the value is impossible); not_collected (with the names missing). Of several missing
// inputs the worst status counts (unsupported, failed, not_collected); of several alternatives the one
// nearest to a value gives status and reason. `facts` come on top of facts_of(p).
MetricSet derive(const KernelProfile& p, const Catalogue& catalogue, const Facts& facts = {});

}  // namespace kprof
