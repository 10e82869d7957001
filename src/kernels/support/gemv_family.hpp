// What the variants of gemv share: y = x·Wᵀ, with x of m × k (m tokens, 1 to 16), W of n × k as a linear
// layer keeps it, y of m × n, all in BF16, sums in FP32. Decoding is this: each weight is read for a few
// FLOPs, so that memory decides.
#pragma once

#include "kernels/support/variant.hpp"

namespace kprof {

enum GemvExtent { gemv_m, gemv_n, gemv_k };
enum GemvBuffer { gemv_x, gemv_w, gemv_y };

constexpr int gemv_most_tokens = 16;

// Everything but name, title, label, geometry and launch.
Variant gemv_variant();

// Why no variant takes this shape, or null.
const char* gemv_refuses(const Call& call);

#ifdef KPROF_WITH_CUDA
// Calls launch(Tokens<M>{}) for the least M of 1, 2, 4, 8 and 16 that holds m tokens: sums lie in registers,
// so their number must be known when compiling. Kernels repeat the last token to fill M, and drop it again.
template <int M>
struct Tokens {
    static constexpr int count = M;
};
template <typename Launch>
void for_tokens(std::int64_t m, Launch launch) {
    if (m <= 1) return launch(Tokens<1>{});
    if (m <= 2) return launch(Tokens<2>{});
    if (m <= 4) return launch(Tokens<4>{});
    if (m <= 8) return launch(Tokens<8>{});
    launch(Tokens<16>{});
}

void gemv_reference(const ReferenceCall& call);
#endif

}  // namespace kprof
