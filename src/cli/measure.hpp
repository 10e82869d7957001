// From a request to an analysed kernel: the staged loop of collection and diagnosis, on whichever source
// serves.
#pragma once

#include <memory>
#include <string>

#include "cli/job.hpp"
#include "report/report.hpp"

namespace kprof::cli {

struct Source {
    std::unique_ptr<CounterSource> source;
    std::string kind;
    std::string note;  // why it is not live; empty when it is
};

// auto: live where there is a usable GPU, else recordings. Throws Error(environment) when the one that was
// asked for is not there.
Source choose_source(const RunOptions& options, const ConfigStore& store);

// Measures and analyses one kernel. Errors of the source pass through, but for a failing kernel
// (Error(program_failed)), which becomes a profile with a failure.
Analysed measure(CounterSource& source, const KernelRequest& request, const RunOptions& options,
                 Analyser& analyser, const std::function<void(const std::string&)>& progress);

}  // namespace kprof::cli
