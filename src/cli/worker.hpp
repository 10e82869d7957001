// One kernel measured in a process of its own, so that a variant that faults (an illegal address takes the
// whole CUDA context along) does not take the rest of a run with it.
#pragma once

#include <string>
#include <vector>

#include "cli/job.hpp"
#include "core/profile.hpp"

namespace kprof::cli {

// A profile that says why `request` could not be measured.
KernelProfile failed_profile(const KernelRequest& request, const std::string& why);

// Runs this program again for `request` and reads the profile that it wrote. A worker that dies gives a
// profile with `failure` set (the signal or the exit code, and the last line that it printed); environment
// errors are thrown with their text.
KernelProfile measure_in_worker(const KernelRequest& request, const RunOptions& options,
                                const std::string& config_dir, const std::vector<std::string>& thresholds);

}  // namespace kprof::cli
