// What starting an empty kernel costs: the host, a stream, a graph.
#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>
#include <type_traits>

#include "ceilings/cuda/bench.hpp"
#include "ceilings/cuda/loops.hpp"
#include "collect/statistics.hpp"

namespace kprof {
namespace {

// Fewer than a stream queues before a launch has to wait for the GPU (1,024).
constexpr int kernels = 500;

template <typename Handle, cudaError_t (*destroy)(Handle)>
struct Destroy {
    void operator()(Handle handle) const { static_cast<void>(destroy(handle)); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy<cudaStream_t, cudaStreamDestroy>>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy<cudaEvent_t, cudaEventDestroy>>;
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy<cudaGraph_t, cudaGraphDestroy>>;
using GraphExec =
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy<cudaGraphExec_t, cudaGraphExecDestroy>>;

Stream make_stream() {
    cudaStream_t stream = nullptr;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return Stream(stream);
}
Event make_event() {
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreate(&event), "cudaEventCreate");
    return Event(event);
}

void launch_all(cudaStream_t stream) {
    for (int i = 0; i < kernels; ++i) loops::empty(stream);
}

// Of the calling thread, into a stream that has room.
double host_ns(cudaStream_t stream) {
    const auto start = std::chrono::steady_clock::now();
    launch_all(stream);
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return passed.count() / kernels;
}

// Of the calling thread, per node of a graph that it launches whole.
double graph_host_ns(cudaStream_t stream, const GraphExec& graph) {
    const auto start = std::chrono::steady_clock::now();
    check_cuda(cudaGraphLaunch(graph.get(), stream), "cudaGraphLaunch");
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return passed.count() / kernels;
}

// From event to event behind a kernel that spins until everything is queued: the host is out of the picture.
double device_ns(cudaStream_t stream, std::int64_t spin_cycles, const Event& begin, const Event& end,
                 const std::function<void()>& enqueue) {
    loops::spin(spin_cycles, stream);
    check_cuda(cudaEventRecord(begin.get(), stream), "cudaEventRecord");
    enqueue();
    check_cuda(cudaEventRecord(end.get(), stream), "cudaEventRecord");
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, begin.get(), end.get()), "cudaEventElapsedTime");
    return static_cast<double>(ms) * 1e6 / kernels;
}

GraphExec make_graph(cudaStream_t stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    launch_all(stream);
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    const Graph owned(graph);
    cudaGraphExec_t exec = nullptr;
    check_cuda(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
    return GraphExec(exec);
}

}  // namespace

void measure_launches(Bench& bench) {
    if (!bench.wanted("launch")) return;
    bench.say("launches");
    const Stream stream = make_stream();
    const Event begin = make_event(), end = make_event();
    const GraphExec graph = make_graph(stream.get());
    const int repeats = bench.options().quick ? 5 : 15;
    // Twice what queueing them takes, at the boost clock.
    host_ns(stream.get());
    const double queue_ns = 2 * kernels * host_ns(stream.get());
    const auto cycles = static_cast<std::int64_t>(queue_ns * bench.device().clock_max_mhz * 1e-3) + 100'000;
    std::vector<double> host, in_stream, in_graph, graph_host;
    graph_host_ns(stream.get(), graph);  // the first launch uploads the graph
    for (int i = 0; i < repeats && !bench.stopped(); ++i) {
        host.push_back(host_ns(stream.get()));
        in_stream.push_back(device_ns(stream.get(), cycles, begin, end, [&] { launch_all(stream.get()); }));
        graph_host.push_back(graph_host_ns(stream.get(), graph));
        in_graph.push_back(device_ns(stream.get(), cycles, begin, end, [&] {
            check_cuda(cudaGraphLaunch(graph.get(), stream.get()), "cudaGraphLaunch");
        }));
    }
    if (host.empty()) return;
    bench.run().section.launch = {spread_of(host).median, spread_of(in_stream).median,
                                  spread_of(in_graph).median, spread_of(graph_host).median};
}

}  // namespace kprof
