// The steps of local-array with matrix and vectors of each thread in shared memory, where an index at run
// time costs nothing: no bank conflicts and no spilling into L2, but two loads a multiply-add, and so shared
// memory is the limit.
#include "kernels/support/spill_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device.cuh"
#endif

namespace kprof {
namespace {

constexpr int numbers_per_thread = spill_dim * spill_dim + 2 * spill_dim;

Geometry geometry(const Call& call) {
    Geometry g = line_geometry(call.extent[spill_systems], spill_block);
    g.smem_static = numbers_per_thread * spill_block * static_cast<std::int64_t>(sizeof(float));
    return g;
}

}  // namespace

#ifdef KPROF_WITH_CUDA
__global__ void __launch_bounds__(spill_block)
    spill_shared(const float* matrices, const float* start, float* out, std::int64_t systems, int steps,
                 float step_length, int dim) {
    // Thread by thread, so that a warp's accesses lie in 32 banks. No thread sees another's: no barriers.
    __shared__ float a[spill_dim * spill_dim][spill_block];
    __shared__ float v[spill_dim][spill_block], slope[spill_dim][spill_block];
    const unsigned me = threadIdx.x;
    const std::int64_t system = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + me;
    if (system >= systems) return;
    for (int i = 0; i < dim * dim; ++i) a[i][me] = matrices[i * systems + system];
    for (int i = 0; i < dim; ++i) v[i][me] = start[i * systems + system];
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < dim; ++i) {
            float sum = 0;
            for (int j = 0; j < dim; ++j) sum = fmaf(a[i * dim + j][me], v[j][me], sum);
            slope[i][me] = sum;
        }
        for (int i = 0; i < dim; ++i) v[i][me] = fmaf(step_length, slope[i][me], v[i][me]);
    }
    for (int i = 0; i < dim; ++i) out[i * systems + system] = v[i][me];
}

static void launch(const Call& call) {
    const Geometry g = geometry(call);
    const std::int64_t steps = call.extent[spill_steps];
    spill_shared<<<grid_of(g), block_of(g)>>>(
        call.as<const float>(spill_matrices), call.as<const float>(spill_start), call.as<float>(spill_out),
        call.extent[spill_systems], static_cast<int>(steps), spill_step_length(steps), spill_dim);
    check_launch("spill_shared");
}
#endif

static Variant variant() {
    Variant v = spill_variant();
    v.name = "shared";
    v.title = "a small matrix per thread, indexed at run time: shared memory";
    v.expected = "at_limit:smem";
    v.rung = 2;
    v.geometry = geometry;
#ifdef KPROF_WITH_CUDA
    v.launch = launch;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
