#include "ceilings/measure.hpp"

#include <cuda_runtime_api.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "ceilings/cuda/bench.hpp"
#include "collect/cuda/device_facts.hpp"
#include "collect/cuda/driver.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace kprof {

CeilingRun measure_ceilings(const CeilingOptions& options) {
    const GpuLook look = look_for_gpu(options.device);
    // A GPU that is too old for counters can be measured all the same.
    if (!look.device)
        throw environment_error(look.why_not, look.remedy +
                                                  "\nkprof ceilings --gpu ID shows roofs that were "
                                                  "measured before");
    CeilingRun run;
    run.device = *look.device;
    check_cuda(cudaSetDevice(options.device), "cudaSetDevice");
    const Clocks clocks(pci_bus_id(options.device));
    if (!clocks.problem().empty()) run.notes.push_back("the clock held is not known: " + clocks.problem());
    MeasuredSection& s = run.section;
    s.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    s.gpu = run.device.name;
    s.driver = clocks.driver_version();
    s.cuda = cuda_version_text(driver_state().cuda_version);
    s.kprof = version();

    Bench bench(options, run, clocks);
    bench.attempt("dram", [&] { measure_dram(bench); });
    bench.attempt("caches", [&] { measure_caches(bench); });
    bench.attempt("launch", [&] { measure_launches(bench); });
    bench.attempt("vector", [&] { measure_vector(bench); });
    // Last: they heat the GPU.
    bench.attempt("tensor", [&] { measure_tensor(bench); });
    run.interrupted = bench.stopped();
    return run;
}

}  // namespace kprof
