// 8192 threads, two warps or so on each SM, walk through a ring of 1 GiB, where each element holds the number
// of the next: a load cannot start before the one before it has come, and nothing is busy but the wires.
#include "kernels/support/launch_check.hpp"
#include "kernels/support/variant.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/elementwise_reference.cuh"
#endif

namespace kprof {
namespace {

constexpr std::int64_t chains = 8192;
constexpr std::uint32_t threads = 32;

std::int64_t count(const Call& call) {
    return call.extent[0];
}

std::int64_t chain_count(const Call& /*call*/) {
    return chains;
}

double min_bytes(const Call& call) {
    const double steps = static_cast<double>(chains) * static_cast<double>(call.extent[1]);
    const auto ring = static_cast<double>(call.extent[0]);
    return 4 * ((steps < ring ? steps : ring) + static_cast<double>(chains));
}

Geometry geometry(const Call& /*call*/) {
    return line_geometry(chains, threads);
}

double chain_cost(const Call& /*call*/) {
    return 200;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
// A linear congruential generator (Numerical Recipes): for n a power of two, one cycle through all elements,
// and steps that jump about the whole ring. The chains begin at equal distances.
constexpr unsigned long long factor = 1664525, increment = 1013904223;

__device__ static std::int64_t start_of(std::int64_t chain, std::int64_t n) {
    return chain * n / chains;
}

__global__ void link_ring(unsigned* next, std::int64_t n) {
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        next[i] = static_cast<unsigned>((factor * static_cast<unsigned long long>(i) + increment) %
                                        static_cast<unsigned long long>(n));
    }
}

__global__ void cache_pointer_chase(const unsigned* next, unsigned* ends, std::int64_t n, std::int64_t hops) {
    const std::int64_t chain = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    auto at = static_cast<unsigned>(start_of(chain, n));
    for (std::int64_t hop = 0; hop < hops; ++hop) at = next[at];
    ends[chain] = at;
}

// Where a chain ends without walking it: the generator's step, squared for each bit of the number of hops.
struct EndOfChain {
    unsigned long long n;
    std::int64_t hops;
    __device__ double operator()(std::int64_t chain) const {
        unsigned long long at = start_of(chain, static_cast<std::int64_t>(n)), a = factor % n,
                           c = increment % n;
        for (std::int64_t bits = hops; bits > 0; bits >>= 1) {
            if (bits & 1) at = (a * at + c) % n;
            c = (a * c + c) % n;
            a = a * a % n;
        }
        return static_cast<double>(at);
    }
};

static void prepare(const Call& call) {
    link_ring<<<4096, 256>>>(call.as<unsigned>(0), call.extent[0]);
    check_launch("link_ring");
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    cache_pointer_chase<<<grid_of(g), block_of(g)>>>(call.as<const unsigned>(0), call.as<unsigned>(1),
                                                     call.extent[0], call.extent[1]);
    check_launch("cache_pointer_chase");
}

static void reference(const ReferenceCall& call) {
    expect_each(call, chains,
                EndOfChain{static_cast<unsigned long long>(call.call.extent[0]), call.call.extent[1]});
}
#endif

static Variant variant() {
    Variant v;
    v.family = "cache";
    v.name = "pointer-chase";
    v.title = "dependent loads all over 1 GiB";
    v.extents = {"n", "hops"};
    v.default_shape = {std::int64_t{1} << 28, 2048};
    v.dtypes = {DType::fp32};  // the elements have its 4 bytes
    v.expected = "latency";
    v.rung = 5;
    v.buffers = {{"ring", count, Element::uint32, Role::input},
                 {"ends", chain_count, Element::uint32, Role::output}};
    v.min_bytes = min_bytes;
    v.geometry = geometry;
    v.group_cost = chain_cost;
    v.exact = true;
#ifdef KPROF_WITH_CUDA
    v.prepare = prepare;
    v.launch = launch;
    v.reference = reference;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
