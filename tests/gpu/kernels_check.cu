// Every built-in kernel at every dtype and many shapes, verified on a GPU; then damaged results, to see that
// verification fails when it must. Needs a GPU: exit 77 (skipped) without one. --quick leaves out the large.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "kernels/registry.hpp"
#include "kernels/support/device_memory.hpp"
#include "kernels/support/gemm_workload.hpp"
#include "kernels/support/launch_check.hpp"

namespace kprof {

// C without the last 16 terms of each sum: the mistake of a loop that ends a tile early.
__global__ void gemm_without_last_tile(const float* a, const float* b, float* c, int m, int n, int k) {
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k - 16; ++i) {
        sum += a[static_cast<std::size_t>(row) * k + i] * b[static_cast<std::size_t>(i) * n + col];
    }
    c[static_cast<std::size_t>(row) * n + col] = sum;
}

namespace {

int passed = 0, failed = 0;

void count(bool good, const std::string& line) {
    std::printf("%s  %s\n", good ? "ok    " : "FAILED", line.c_str());
    std::fflush(stdout);
    ++(good ? passed : failed);
}

// Runs one check; an exception is a failure of that check.
void check(const std::string& name, const std::function<std::pair<bool, std::string>()>& body) {
    try {
        const auto [good, detail] = body();
        count(good, name + "  " + detail);
    } catch (const Error& e) {
        count(false, name + "  " + e.what() + " (" + e.hint() + ")");
    } catch (const std::exception& e) {
        count(false, name + "  " + e.what());
    }
}

std::string text(double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2g", x);
    return buffer;
}

std::string words(const Verification& v) {
    std::string line = v.status;
    if (v.error) line += ", error " + text(*v.error);
    if (v.tolerance) line += " of " + text(*v.tolerance);
    return line + ", " + v.detail;
}

std::unique_ptr<DeviceWorkload> make(const KernelDef& def, const Shape& shape, DType dtype) {
    std::unique_ptr<Workload> workload = def.make(shape, dtype);
    return std::unique_ptr<DeviceWorkload>(&dynamic_cast<DeviceWorkload&>(*workload.release()));
}

std::string name_of(const KernelDef& def, const Shape& shape, DType dtype) {
    return def.family + "/" + def.variant + " " + to_string(dtype) + " " + to_string(shape);
}

void run_right(const KernelDef& def, const Shape& shape, DType dtype) {
    check(name_of(def, shape, dtype), [&]() -> std::pair<bool, std::string> {
        const auto workload = make(def, shape, dtype);
        workload->reset();
        workload->launch();
        check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto start = std::chrono::steady_clock::now();
        const Verification v = workload->verify();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        return {v.status == "ok", words(v) + ", verified in " + text(took.count()) + " ms"};
    });
}

// Launches (unless told not to), damages the result, and wants the verdict "wrong".
void run_wrong(const KernelDef& def, const Shape& shape, DType dtype, const std::string& what, bool launch,
               const std::function<void(char* output)>& damage) {
    check(name_of(def, shape, dtype) + " " + what, [&]() -> std::pair<bool, std::string> {
        const auto workload = make(def, shape, dtype);
        workload->reset();
        if (launch) workload->launch();
        if (damage) damage(static_cast<char*>(workload->output()));
        const Verification v = workload->verify();
        return {v.status == "wrong", words(v)};
    });
}

template <typename T>
void change(char* output, std::size_t index, const std::function<T(T)>& f) {
    T value;
    char* at = output + index * sizeof(T);
    check_cuda(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
    value = f(value);
    check_cuda(cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice), "cudaMemcpy");
}

using Extents = std::vector<std::int64_t>;

std::vector<Extents> gemm_extents(bool quick) {
    std::vector<Extents> sizes = {{1, 1, 1},     {7, 5, 3},        {16, 16, 16},    {33, 65, 17},
                                  {64, 48, 40},  {128, 128, 128},  {255, 257, 129}, {1, 1000, 77},
                                  {1000, 1, 77}, {1024, 64, 2048}, {264, 520, 72},  {70000, 8, 16}};
    if (!quick) {
        sizes.insert(sizes.end(), {{1000, 1000, 1000},
                                   {2200000, 8, 16},
                                   {8, 2200000, 16},
                                   {16, 16, 1000003},
                                   {4096, 4096, 4096},
                                   {8192, 8192, 8192}});
    }
    return sizes;
}

// Small shapes with edges and odd sizes, in the order of each family's extents; a variant refuses what it
// cannot.
std::vector<Extents> small_extents(const KernelDef& def, bool quick) {
    if (def.family == "gemm") return gemm_extents(quick);
    if (def.family == "attention") {
        return {{1, 2, 1, 1, 129, 64},     {2, 4, 2, 1, 1000, 128}, {1, 4, 4, 64, 64, 64},
                {1, 4, 1, 200, 200, 128},  {2, 8, 2, 333, 333, 64}, {1, 2, 2, 512, 512, 128},
                {1, 2, 2, 129, 1025, 128}, {1, 8, 1, 1, 4097, 128}};
    }
    if (def.extents.size() == 1) return {{1}, {3}, {4}, {5}, {7}, {255}, {1024}, {1027}, {65537}, {1000003}};
    // Every other family: its default, each extent brought down to at most one of these.
    std::vector<Extents> sizes;
    for (const std::int64_t most : {1, 2, 7, 16, 33, 128, 333, 1024}) {
        Extents e;
        for (const auto& [name, extent] : def.default_shape.extents) e.push_back(std::min(extent, most));
        sizes.push_back(e);
        for (std::size_t i = 0; i < e.size(); ++i) {
            Extents one = e;
            one[i] =
                std::min<std::int64_t>(def.default_shape.extents[i].second, most == 1 ? 4099 : 3 * most + 1);
            sizes.push_back(one);
        }
    }
    return sizes;
}

std::vector<Shape> shapes_of(const KernelDef& def, bool quick) {
    std::vector<Shape> shapes;
    for (const Extents& e : small_extents(def, quick)) {
        Shape shape;
        for (std::size_t i = 0; i < e.size(); ++i) shape.extents.emplace_back(def.extents[i], e[i]);
        shapes.push_back(shape);
    }
    if (!quick) shapes.push_back(def.default_shape);
    return shapes;
}

bool refused(const KernelDef& def, const Shape& shape, DType dtype) {
    return def.refuses && !def.refuses(shape, dtype).empty();
}

// The largest of the small shapes that the variant takes.
Shape small_shape(const KernelDef& def, DType dtype) {
    Shape last = def.default_shape;
    for (const Shape& shape : shapes_of(def, true)) {
        if (!refused(def, shape, dtype)) last = shape;
    }
    return last;
}

struct Choice {
    bool quick = false;
    bool one_each = false;  // one small shape and dtype a variant: for compute-sanitizer
    std::string only;       // a family, or family/variant
    bool takes(const KernelDef& def) const {
        return only.empty() || only == def.family || only == def.family + "/" + def.variant;
    }
};

bool runs_here(const KernelDef& def) {
    int device = 0, major = 0, minor = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    DeviceFacts facts;
    facts.cc_major = major;
    facts.cc_minor = minor;
    const std::string missing = missing_on(def.needs, def.family + "/" + def.variant, facts);
    if (!missing.empty()) std::printf("left out  %s\n", missing.c_str());
    return missing.empty();
}

void check_all_kernels(const Choice& choice) {
    for (const KernelDef* def : all_kernels()) {
        if (!choice.takes(*def) || !runs_here(*def)) continue;
        if (choice.one_each) {
            run_right(*def, small_shape(*def, def->dtypes.front()), def->dtypes.front());
            continue;
        }
        int ran = 0;
        for (const DType dtype : def->dtypes) {
            for (const Shape& shape : shapes_of(*def, choice.quick)) {
                if (refused(*def, shape, dtype)) continue;
                run_right(*def, shape, dtype);
                ++ran;
            }
        }
        count(ran > 0, def->family + "/" + def->variant + " ran " + std::to_string(ran) + " shapes");
        run_wrong(*def, small_shape(*def, def->dtypes.front()), def->dtypes.front(), "never launched", false,
                  nullptr);
    }
}

// 700 rows and columns: too many for element-wise comparison of all, so that the projections must find these.
void check_damaged_products() {
    const Shape small{{{"m", 96}, {"n", 80}, {"k", 64}}}, large{{{"m", 700}, {"n", 700}, {"k", 512}}};
    const KernelDef& naive = find_kernel("gemm", "naive");
    const KernelDef& wmma = find_kernel("gemm", "wmma-sync");
    for (const Shape& shape : {small, large}) {
        const auto n = static_cast<std::size_t>(shape.at("n")), m = static_cast<std::size_t>(shape.at("m"));
        for (const std::size_t at : {std::size_t{0}, (m / 2 + 1) * n + n / 2 - 3, m * n - 1}) {
            const std::string place = "at " + std::to_string(at);
            run_wrong(naive, shape, DType::fp32, "one element off by 1 " + place, true,
                      [&](char* out) { change<float>(out, at, [](float x) { return x + 1; }); });
            run_wrong(naive, shape, DType::fp32, "one NaN " + place, true,
                      [&](char* out) { change<unsigned>(out, at, [](unsigned) { return 0x7FC00000U; }); });
            // 128: some fifty times the size of an element at k = 64, seventeen times at k = 512.
            run_wrong(wmma, shape, DType::bf16, "one element 128 " + place, true, [&](char* out) {
                change<unsigned short>(out, at, [](unsigned short) -> unsigned short { return 0x4300; });
            });
        }
        run_wrong(naive, shape, DType::fp32, "written past the end", true, [&](char* out) {
            change<unsigned char>(out, m * n * sizeof(float),
                                  [](unsigned char) -> unsigned char { return 0; });
        });
    }
}

void check_missing_tile() {
    GemmVariant broken;
    broken.name = "broken";
    broken.launch = [](const GemmCall& call) {
        const dim3 grid((call.n + 15) / 16, (call.m + 15) / 16), block(16, 16);
        gemm_without_last_tile<<<grid, block>>>(static_cast<const float*>(call.a),
                                                static_cast<const float*>(call.b),
                                                static_cast<float*>(call.c), call.m, call.n, call.k);
        check_launch("gemm_without_last_tile");
    };
    for (const std::int64_t edge : {64, 1024}) {
        check("gemm without its last 16 terms at " + std::to_string(edge),
              [&]() -> std::pair<bool, std::string> {
                  GemmWorkload workload(broken, Shape{{{"m", edge}, {"n", edge}, {"k", edge}}}, DType::fp32);
                  workload.reset();
                  workload.launch();
                  const Verification v = workload.verify();
                  return {v.status == "wrong", words(v)};
              });
    }
}

void check_damaged_lines() {
    const auto flip = [](unsigned x) { return x ^ 1U; };  // the last bit: one step of the FP32 number
    for (const char* family : {"copy", "add"}) {
        for (const std::size_t at : {std::size_t{0}, std::size_t{500}, std::size_t{1026}}) {
            run_wrong(find_kernel(family, ""), Shape{{{"n", 1027}}}, DType::fp32,
                      "last bit flipped at " + std::to_string(at), true,
                      [&](char* out) { change<unsigned>(out, at, flip); });
        }
    }
}

}  // namespace
}  // namespace kprof

int main(int argc, char** argv) {
    using namespace kprof;
    Choice choice;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--quick") {
            choice.quick = true;
        } else if (word == "--one-each") {
            choice.one_each = true;
        } else if (word == "--only" && i + 1 < argc) {
            choice.only = argv[++i];
        } else {
            std::fprintf(stderr, "usage: %s [--quick] [--one-each] [--only FAMILY[/VARIANT]]\n", argv[0]);
            return 2;
        }
    }
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("skipped: no GPU");
        return 77;
    }
    check_all_kernels(choice);
    if (choice.only.empty() && !choice.one_each) {
        check_damaged_products();
        check_missing_tile();
        check_damaged_lines();
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
