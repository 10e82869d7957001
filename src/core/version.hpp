// What this binary is and how it was built (generated constants; see src/core/version.cpp.in).
#pragma once

#include <string>

namespace kprof {

const std::string& version();       // "0.1.0"
const std::string& build_commit();  // "a1b2c3d" or "unknown"
const std::string& cuda_choice();   // "CUDA 13.0 (sm_80, sm_90a, PTX)" or "off: <why>"

}  // namespace kprof
