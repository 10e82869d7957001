// kprof run llm: the kernels of one layer of a model, from configs/models/*.json.
#pragma once

#include <string>
#include <vector>

#include "cli/job.hpp"

namespace kprof::cli {

// The requests of one layer with its Series. Throws Error(usage) for what the model does not take.
Jobs layer_jobs(const RunOptions& options, const ConfigStore& store);

}  // namespace kprof::cli
