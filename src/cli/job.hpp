// What one `kprof run` has to measure: the list of kernels, checked whole before the first is run.
#pragma once

#include <string>
#include <vector>

#include "collect/counter_source.hpp"

namespace kprof::cli {

struct RunOptions {
    std::string kernel, variant, shape, dtype;
    bool all = false;
    std::string source = "auto", cache = "cold", metrics;
    std::string model_gpu;  // with --source model; empty: h200
    int repeats = 0;        // 0: until the median is stable
    int device = 0;
    bool no_verify = false;
    std::string worker;  // a file descriptor's path: measure one kernel and write its profile there
};

// --all: every variant and dtype of every family. --variant all: the family's ladder. --dtype all: each
// dtype. A dtype given with several variants keeps the variants that have it. Throws Error(usage).
std::vector<KernelRequest> make_jobs(const RunOptions& options);

}  // namespace kprof::cli
