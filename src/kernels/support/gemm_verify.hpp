// Is C the product of A and B, or what the task makes of it?
#pragma once

#include "core/profile.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

// Compares C with FP64 references on the device: element by element (all of them up to 512³; of larger
// products a sample with every edge), and, of a plain product, as a whole in two random projections. Every
// element is looked at for NaN. The error given is the element-wise ‖out - ref‖ / ‖ref‖. Waits for the
// device.
Verification verify_gemm(const GemmCall& call, GemmTask task);

}  // namespace kprof
