// A build without CUDA has no device code to measure with.
#include "ceilings/measure.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace kprof {

CeilingRun measure_ceilings(const CeilingOptions& /*options*/) {
    throw environment_error(
        "this kprof was built without CUDA (" + cuda_choice() + ")",
        "build with the CUDA toolkit (cmake -DKPROF_CUDA=ON ...); kprof ceilings --gpu ID "
        "shows roofs that were measured before");
}

}  // namespace kprof
