// Reads n numbers and writes next to nothing: the sum of every 8192 of them. Eight vectors of 16 bytes a
// thread are on their way before the first is added. Reads alone spare DRAM the turns between reading and
// writing, so that they come closer to its peak than a copy.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/variant.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/float4.cuh"
#include "kernels/support/memory_hints.cuh"
#endif

namespace kprof {
namespace {

constexpr std::uint32_t threads = 256;
constexpr int vectors = 8;  // a thread
constexpr std::int64_t chunk = std::int64_t{threads} * vectors * 4;

std::int64_t count(const Call& call) {
    return call.extent[0];
}

std::int64_t chunks(const Call& call) {
    return (call.extent[0] + chunk - 1) / chunk;
}

double flops(const Call& call) {
    return static_cast<double>(call.extent[0]);
}

double min_bytes(const Call& call) {
    return 4 * static_cast<double>(call.extent[0] + chunks(call));
}

double chunk_cost(const Call& /*call*/) {
    return static_cast<double>(chunk);
}

Geometry geometry(const Call& call) {
    Geometry g = line_geometry(chunks(call) * threads, threads);
    g.smem_static = threads / 32 * 4;
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(threads) read_float4(const float* x, float* sums, std::int64_t n) {
    __shared__ float warp_sums[threads / warp_size];
    const std::int64_t first = blockIdx.x * chunk;
    const auto* from = reinterpret_cast<const float4*>(x + first) + threadIdx.x;
    float sum = 0;
    if (first + chunk <= n) {
        float4 v[vectors];
#pragma unroll
        for (int k = 0; k < vectors; ++k) v[k] = load_once(from + k * threads);
#pragma unroll
        for (int k = 0; k < vectors; ++k) sum += sum_of(v[k]);
    } else {
        for (std::int64_t i = first + threadIdx.x; i < n; i += threads) sum += x[i];
    }
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void expect_chunks(const float* x, std::int64_t n, const std::int64_t* groups, double* expected) {
    __shared__ double warp_sums[threads / warp_size];
    const std::int64_t first = groups[blockIdx.x] * chunk;
    double sum = 0;
    for (std::int64_t i = first + threadIdx.x; i < first + chunk && i < n; i += threads) sum += x[i];
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0) expected[blockIdx.x] = sum;
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    read_float4<<<grid_of(g), block_of(g)>>>(call.as<const float>(0), call.as<float>(1), call.extent[0]);
    check_launch("read_float4");
}

static void reference(const ReferenceCall& call) {
    expect_chunks<<<static_cast<unsigned>(call.count), threads>>>(
        call.call.as<const float>(0), call.call.extent[0], call.groups, call.expected);
    check_launch("expect_chunks");
}
#endif

static Variant variant() {
    Variant v;
    v.family = "read";
    v.name = "float4";
    v.title = "the sum of every 8192 numbers, 16-byte vectors: a pure read";
    v.extents = {"n"};
    v.default_shape = {std::int64_t{1} << 28};
    v.dtypes = {DType::fp32};
    v.expected = "at_limit:dram";
    v.rung = 1;
    v.is_default = true;
    v.buffers = {{"x", count, Element::of_call, Role::input},
                 {"sums", chunks, Element::of_call, Role::output}};
    v.flops = flops;
    v.min_bytes = min_bytes;
    v.geometry = geometry;
    v.group_cost = chunk_cost;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
    v.reference = reference;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
