// What one `kprof run` has to measure: the list of kernels, checked whole before the first is run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collect/counter_source.hpp"
#include "core/config_store.hpp"
#include "report/report.hpp"

namespace kprof::cli {

struct RunOptions {
    std::string kernel, variant, shape, dtype;
    bool all = false;
    std::string source = "auto", cache = "cold", metrics;
    std::string model_gpu;  // with --source model; empty: h200
    int repeats = 0;        // 0: until the median is stable
    int device = 0;
    bool no_verify = false;
    std::string sweep;                  // "1024:16384:x2"
    std::string phase = "prefill";      // of llm
    int tp = 1, batch = 0, tokens = 0;  // of llm; 0: the model's default
    std::string worker;  // a file descriptor's path: measure one kernel and write its profile there
};

struct Jobs {
    std::vector<KernelRequest> requests;
    // Set for a ladder, a sweep and a layer; its rows stand beside the requests, in their order.
    std::optional<Series> series;
};

// --all: every variant and dtype of every family. --variant all: the family's ladder. --dtype all: each
// dtype. A dtype given with several variants keeps the variants that have it. --sweep: one kernel at several
// sizes. The kernel "llm" is a layer of a model (configs/models). Throws Error(usage).
Jobs make_jobs(const RunOptions& options, const ConfigStore& store);

}  // namespace kprof::cli
