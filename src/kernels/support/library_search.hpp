// Where a CUDA library may lie, and how to open the first that is there.
#pragma once

#include <string>
#include <vector>

namespace kprof {

// Names to give to dlopen, in order: for each file name ("libcublas.so.13", newest first) the bare name (the
// loader's own path), then below each root (a CUDA installation) lib64 and the target folders.
std::vector<std::string> library_candidates(const std::vector<std::string>& file_names,
                                            const std::vector<std::string>& roots);

// $CUDA_HOME, $CUDA_PATH (where set) and /usr/local/cuda.
std::vector<std::string> cuda_roots();

// A handle of the first candidate that opens: one that the process has loaded already comes first. Otherwise
// Error(environment) that lists every candidate tried, with `remedy` as its hint.
void* open_library(const std::string& what, const std::vector<std::string>& candidates,
                   const std::string& remedy);

}  // namespace kprof
