// What AMD's compiler knows about its kernels: registers, LDS, scratch and workgroup sizes from code objects.
// Sources: LLVM's "User Guide for AMDGPU Backend" (code object metadata) and ClangOffloadBundler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kprof {

struct AmdKernel {
    std::string name;  // demangled
    int vgprs = 0;     // of a lane: arch VGPRs, rounded up to 4 when there are AGPRs, plus AGPRs
    int agprs = 0;
    int sgprs = 0;
    int vgpr_spills = 0, sgpr_spills = 0;
    std::int64_t lds = 0;      // bytes per workgroup, without what the launch adds
    std::int64_t scratch = 0;  // bytes per work-item
    int max_threads = 0;       // of a workgroup
    std::optional<std::array<int, 3>> required_threads;
    int wavefront = 64;
};

struct AmdCodeObject {
    std::string chip;      // "gfx942"
    std::string features;  // "sramecc+:xnack-", may be empty
    std::vector<AmdKernel> kernels;
};

// From a code object (.co, .hsaco), an offload bundle, or a program or object file of a HIP compiler with
// such bundles in .hip_fatbin. `bytes` is the file, `path` its name for messages. Throws Error(usage) for
// anything else: truncated, compressed, without AMD code.
std::vector<AmdCodeObject> read_code_objects(const std::string& bytes, const std::string& path);

}  // namespace kprof
