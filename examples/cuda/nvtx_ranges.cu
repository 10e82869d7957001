// Two phases of a program marked with NVTX ranges: "smooth" (three reads and a write per element) and "count"
// (atomics). The same kernel runs in both `smooth` ranges, on a large and on a small array: by name they
// cannot be told apart, by range they can. kprof: smooth/large at the DRAM limit; smooth/small is too short
// to matter (small_grid); count: atomics, all threads add to 16 counters.
//
//     nvcc -std=c++17 -O3 -arch=native examples/cuda/nvtx_ranges.cu -o nvtx_ranges && ./nvtx_ranges
//     kprof profile -- ./nvtx_ranges
#include <nvtx3/nvToolsExt.h>

#include <cmath>
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

// A range from here to the end of the scope.
struct Range {
    explicit Range(const char* name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
};

__global__ void fill(float* x, long long n) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) x[i] = static_cast<float>(i % 1000);
}

__global__ void smooth(const float* x, float* y, long long n) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float left = i > 0 ? x[i - 1] : x[i];
    const float right = i + 1 < n ? x[i + 1] : x[i];
    y[i] = 0.25F * left + 0.5F * x[i] + 0.25F * right;
}

__global__ void count(const float* x, unsigned long long* counters, long long n) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(counters + static_cast<int>(x[i]) % 16, 1ULL);
}

int main() {
    const long long large = 200'000'000, small = 20'000;
    float *x = nullptr, *y = nullptr;
    unsigned long long* counters = nullptr;
    CHECK(cudaMalloc(&x, large * sizeof(float)));
    CHECK(cudaMalloc(&y, large * sizeof(float)));
    CHECK(cudaMalloc(&counters, 16 * sizeof(*counters)));
    CHECK(cudaMemset(counters, 0, 16 * sizeof(*counters)));
    const auto blocks = [](long long n) { return static_cast<unsigned>((n + 255) / 256); };
    {
        const Range range("fill");
        fill<<<blocks(large), 256>>>(x, large);
    }
    {
        const Range outer("smooth");
        {
            const Range inner("large");
            for (int i = 0; i < 3; ++i) smooth<<<blocks(large), 256>>>(x, y, large);
        }
        {
            const Range inner("small");
            for (int i = 0; i < 3; ++i) smooth<<<blocks(small), 256>>>(x, y, small);
        }
    }
    {
        const Range range("count");
        count<<<blocks(small), 256>>>(x, counters, small);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    std::vector<float> got(3);
    unsigned long long counted[16], total = 0;
    CHECK(cudaMemcpy(got.data(), y + 500, 3 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counted, counters, sizeof(counted), cudaMemcpyDeviceToHost));
    for (const unsigned long long c : counted) total += c;
    // The middle of a straight line stays as it is.
    const bool right = got[0] == 500.0F && got[1] == 501.0F && got[2] == 502.0F && total == 20'000ULL;
    std::printf("nvtx_ranges: %s (y[500] = %g, %llu elements counted)\n", right ? "right" : "WRONG", got[0],
                total);
    return right ? 0 : 1;
}
