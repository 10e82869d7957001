// Launches one reference kernel once inside the NVTX range "measured", for another profiler to look at:
//   ncu --nvtx --nvtx-include measured/ ./kprof_launch_once gemm cublas bf16 4096
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

#include "core/error.hpp"
#include "kernels/registry.hpp"

int main(int argc, char** argv) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("skipped: no GPU");
        return 77;
    }
    if (argc != 5) {
        std::puts("usage: kprof_launch_once FAMILY VARIANT DTYPE SHAPE");
        return argc == 2 ? 77 : 2;  // ctest calls every check with --quick
    }
    try {
        const kprof::KernelDef& def = kprof::find_kernel(argv[1], argv[2]);
        const kprof::KernelPlan plan =
            kprof::plan_kernel({argv[1], argv[2], argv[3], kprof::parse_shape(argv[4], def.extents)});
        const auto workload = plan.make();
        for (int warm = 0; warm < 2; ++warm) {
            workload->reset();
            workload->launch();
        }
        workload->reset();
        cudaDeviceSynchronize();
        nvtxRangePushA("measured");
        workload->launch();
        cudaDeviceSynchronize();
        nvtxRangePop();
        return cudaGetLastError() == cudaSuccess ? 0 : 1;
    } catch (const kprof::Error& e) {
        std::printf("%s\n", e.what());
        return static_cast<int>(e.code());
    }
}
