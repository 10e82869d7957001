// out = a + b in FP32, one 16-byte vector per thread: two reads and a write for one addition, so memory is
// the limit.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_family.hpp"

namespace kprof {
namespace {

constexpr int width = 4;  // floats in a vector

Geometry geometry(const StreamCall& call) {
    return line_geometry(call.n / width + call.n % width, 256);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void add_float4(const float* a, const float* b, float* out, std::int64_t n) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t vectors = n / width;
    if (i < vectors) {
        const float4 x = reinterpret_cast<const float4*>(a)[i];
        const float4 y = reinterpret_cast<const float4*>(b)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else {
        // The last elements, one thread each.
        const std::int64_t at = vectors * width + (i - vectors);
        if (at < n) out[at] = a[at] + b[at];
    }
}

// The reference adds in FP64 and rounds once: for one addition that equals the correctly rounded FP32 sum, so
// the comparison is exact. A NaN is never equal.
__global__ void count_add_mismatches(const float* a, const float* b, const float* out, std::int64_t n,
                                     unsigned long long* mismatches) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    unsigned long long wrong = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        const auto reference = static_cast<float>(static_cast<double>(a[i]) + static_cast<double>(b[i]));
        wrong += out[i] == reference ? 0 : 1;
    }
    if (wrong > 0) atomicAdd(mismatches, wrong);
}

static void launch(const StreamCall& call) {
    const Geometry g = geometry(call);
    add_float4<<<grid_of(g), block_of(g)>>>(static_cast<const float*>(call.a),
                                            static_cast<const float*>(call.b), static_cast<float*>(call.out),
                                            call.n);
    check_launch("add_float4");
}

static void count_mismatches(const StreamCall& call, unsigned long long* mismatches) {
    count_add_mismatches<<<2048, 256>>>(static_cast<const float*>(call.a), static_cast<const float*>(call.b),
                                        static_cast<const float*>(call.out), call.n, mismatches);
    check_launch("count_add_mismatches");
}
#endif

static StreamVariant variant() {
    StreamVariant v;
    v.family = "add";
    v.name = "float4";
    v.title = "out = a + b, one 16-byte vector per thread";
    v.dtypes = {DType::fp32};
    v.expected = "at_limit:dram";
    v.rung = 1;
    v.is_default = true;
    v.inputs = 2;
    v.flops_per_element = 1;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.count_mismatches = count_mismatches;
#endif
    return v;
}

static const RegisterStream registration{variant()};

}  // namespace kprof
