// 480 small kernels, first launched one by one, then as one CUDA graph.
// kprof: each kernel runs for about 2 µs on a few blocks (small_grid), and the gaps between them are as long:
// launch_overhead. In the graph the kernels are the same; the gaps shrink, and the CPU is free. Kernels of a
// graph are seen one by one only where kprof can take the graph apart; else the graph is one entry.
//
//     nvcc -std=c++17 -O3 -arch=native examples/cuda/graph.cu -o graph && ./graph
//     kprof profile -- ./graph
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                             \
    do {                                                                        \
        const cudaError_t error = (call);                                       \
        if (error != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            std::exit(1);                                                       \
        }                                                                       \
    } while (false)

constexpr int elements = 4096, steps = 480;

__global__ void step(float* x) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < elements) x[i] = 0.5F * x[i] + 1.0F;
}

void enqueue(float* x, cudaStream_t stream) {
    for (int i = 0; i < steps; ++i) step<<<(elements + 255) / 256, 256, 0, stream>>>(x);
}

// Microseconds on the CPU until all is enqueued, and until all is done.
template <typename Work>
void time(const char* name, cudaStream_t stream, const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto us = [](Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); };
    work();  // warm-up
    CHECK(cudaStreamSynchronize(stream));
    const auto start = Clock::now();
    work();
    const auto enqueued = Clock::now();
    CHECK(cudaStreamSynchronize(stream));
    std::printf("graph: %-8s %7.1f us to enqueue, %7.1f us in all\n", name, us(enqueued - start),
                us(Clock::now() - start));
}

bool right(float* x, cudaStream_t stream) {
    // x -> x/2 + 1 comes to 2 from anywhere.
    std::vector<float> got(elements);
    CHECK(cudaMemcpyAsync(got.data(), x, elements * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (const float value : got)
        if (value != 2.0F) return false;
    return true;
}

int main() {
    cudaStream_t stream = nullptr;
    float* x = nullptr;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&x, elements * sizeof(float)));
    CHECK(cudaMemsetAsync(x, 0, elements * sizeof(float), stream));
    time("stream", stream, [&] { enqueue(x, stream); });
    bool good = right(x, stream);

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    enqueue(x, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaMemsetAsync(x, 0, elements * sizeof(float), stream));
    time("graph", stream, [&] { CHECK(cudaGraphLaunch(executable, stream)); });
    good = right(x, stream) && good;
    std::printf("graph: %s\n", good ? "right" : "WRONG");
    return good ? 0 : 1;
}
