// The kernels of stream, captured once into a CUDA graph: one call launches all of them, and the GPU starts
// each as soon as the one before it has ended. What is left is that start, as long as the work itself.
#include <algorithm>
#include <memory>

#include "kernels/support/launch_family.hpp"

#ifdef KPROF_WITH_CUDA
#include "kernels/support/device_memory.hpp"
#endif

namespace kprof {

#ifdef KPROF_WITH_CUDA
namespace {

using OwnStream = std::unique_ptr<CUstream_st, cudaError_t (*)(cudaStream_t)>;
using Graph = std::unique_ptr<CUgraph_st, cudaError_t (*)(cudaGraph_t)>;
using Executable = std::unique_ptr<CUgraphExec_st, cudaError_t (*)(cudaGraphExec_t)>;

}  // namespace

static std::int64_t sampled(const Call& call) {
    return std::min<std::int64_t>(call.extent[launch_steps], launch_sampled);
}

// The legacy stream cannot be captured; what a graph holds runs in any stream. Relaxed, because the first
// launch of a kernel loads it, which stricter modes forbid.
static Executable captured(const Call& call, std::int64_t steps) {
    cudaStream_t made = nullptr;
    check_cuda(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const OwnStream stream(made, cudaStreamDestroy);
    check_cuda(cudaStreamBeginCapture(made, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    launch_steps_on(made, call, steps);
    cudaGraph_t recorded = nullptr;
    check_cuda(cudaStreamEndCapture(made, &recorded), "cudaStreamEndCapture");
    const Graph graph(recorded, cudaGraphDestroy);
    cudaGraphExec_t executable = nullptr;
    check_cuda(cudaGraphInstantiateWithFlags(&executable, recorded, 0), "cudaGraphInstantiateWithFlags");
    return Executable(executable, cudaGraphExecDestroy);
}

static void* open(const Call& call) {
    return new Executable(captured(call, call.extent[launch_steps]));
}

static void close(void* graph) {
    delete static_cast<Executable*>(graph);
}

static void run(const Executable& graph) {
    check_cuda(cudaGraphLaunch(graph.get(), nullptr), "cudaGraphLaunch");
}

// Counters are of the same kernels launched one by one: CUPTI's replay of ranges by the caller fails with an
// unknown error at a graph.
static void launch_sample(const Call& call) {
    launch_steps_on(nullptr, call, sampled(call));
}
#endif

static Variant variant() {
    Variant v = launch_variant();
    v.name = "graph";
    v.title = "many small kernels, launched as one CUDA graph";
    v.expected = "launch_overhead";
    v.twin = "persistent";
    v.rung = 2;
#ifdef KPROF_WITH_CUDA
    v.launch = [](const Call& call) { run(*static_cast<Executable*>(call.context)); };
    v.launches = [](const Call& call) { return static_cast<int>(call.extent[launch_steps]); };
    v.launch_sample = launch_sample;
    v.sample_launches = [](const Call& call) { return static_cast<int>(sampled(call)); };
    v.open = open;
    v.close = close;
#endif
    return v;
}

static const RegisterVariant registration{variant()};

}  // namespace kprof
