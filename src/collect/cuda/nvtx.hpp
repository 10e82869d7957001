// A named range for Nsight Systems: visible there, free when no tool listens.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace kprof {

class NvtxRange {
  public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    ~NvtxRange() { nvtxRangePop(); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace kprof
