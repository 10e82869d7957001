// out = a, one 16-byte vector per thread: as much of the DRAM bandwidth as plain code gets.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/stream_family.hpp"

namespace kprof {
namespace {

// The last bytes that fill no vector are copied in units of the smallest dtype.
struct Split {
    std::int64_t vectors = 0;  // of 16 bytes
    std::int64_t units = 0;    // of 2 bytes, after the vectors
};

Split split_of(const StreamCall& call) {
    const std::int64_t bytes = call.n * static_cast<std::int64_t>(size_of(call.dtype));
    return {bytes / 16, bytes % 16 / 2};
}

Geometry geometry(const StreamCall& call) {
    const Split split = split_of(call);
    return line_geometry(split.vectors + split.units, 256);
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void copy_float4(const float4* a, float4* out, std::int64_t vectors, std::int64_t units) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < vectors) {
        out[i] = a[i];
    } else if (i < vectors + units) {
        const auto* from = reinterpret_cast<const unsigned short*>(a + vectors);
        auto* to = reinterpret_cast<unsigned short*>(out + vectors);
        to[i - vectors] = from[i - vectors];
    }
}

// Compares bits: a copy is exact or wrong.
__global__ void count_copy_mismatches(const unsigned short* a, const unsigned short* out,
                                      std::int64_t elements, int units_per_element,
                                      unsigned long long* mismatches) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    unsigned long long wrong = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements;
         i += stride) {
        bool same = true;
        for (int u = 0; u < units_per_element; ++u) {
            const std::int64_t at = i * units_per_element + u;
            same = same && a[at] == out[at];
        }
        wrong += same ? 0 : 1;
    }
    if (wrong > 0) atomicAdd(mismatches, wrong);
}

static void launch(const StreamCall& call) {
    const Split split = split_of(call);
    const Geometry g = geometry(call);
    copy_float4<<<grid_of(g), block_of(g)>>>(static_cast<const float4*>(call.a),
                                             static_cast<float4*>(call.out), split.vectors, split.units);
    check_launch("copy_float4");
}

static void count_mismatches(const StreamCall& call, unsigned long long* mismatches) {
    count_copy_mismatches<<<2048, 256>>>(static_cast<const unsigned short*>(call.a),
                                         static_cast<const unsigned short*>(call.out), call.n,
                                         static_cast<int>(size_of(call.dtype) / 2), mismatches);
    check_launch("count_copy_mismatches");
}
#endif

static StreamVariant variant() {
    StreamVariant v;
    v.family = "copy";
    v.name = "float4";
    v.title = "out = a, one 16-byte vector per thread";
    v.dtypes = {DType::fp32, DType::bf16, DType::fp16, DType::fp64};
    v.expected = "at_limit:dram";
    v.rung = 1;
    v.is_default = true;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.count_mismatches = count_mismatches;
#endif
    return v;
}

static const RegisterStream registration{variant()};

}  // namespace kprof
