// KernelProfile: everything that was learnt about one kernel, as plain data. It is the seam of the program:
// all that follows (derive, place, diagnose, report) is a pure function of profiles and configs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "core/shape.hpp"

namespace kprof {

struct KernelId {
    std::string name;                    // demangled, or what a person would call it ("gemm / naive")
    std::string mangled;                 // may be empty
    std::string short_name;              // for tables
    std::string family, variant, dtype;  // of built-in kernels; empty for foreign ones
    Shape shape;
};

struct Launch {
    std::array<std::uint32_t, 3> grid{0, 0, 0};
    std::array<std::uint32_t, 3> block{0, 0, 0};
    std::optional<int> registers;              // per thread
    std::optional<std::int64_t> smem_static;   // bytes per block
    std::optional<std::int64_t> smem_dynamic;  // bytes per block
    std::optional<std::int64_t> local_bytes;   // per thread: spills and stack
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
    std::optional<int> driver_blocks_per_sm;  // what the driver says fits (a cross-check of our own sum)

    bool known() const { return block[0] > 0; }
    std::int64_t blocks() const { return std::int64_t{1} * grid[0] * grid[1] * grid[2]; }
    std::int64_t threads_per_block() const { return std::int64_t{1} * block[0] * block[1] * block[2]; }
};

// What the kernel has to do, known from its definition (origin model), the user's annotation, or a bound.
struct Work {
    double flops = 0;       // floating-point operations; an FMA counts as two
    double min_bytes = 0;   // every input read once, every output written once
    std::string precision;  // the roof its arithmetic belongs to: "fp32", "tf32", "bf16" ...
    bool matrix_product = false;
    std::string origin = "model";  // model | annotation | bound
};

struct Verification {
    std::string status = "skipped";  // ok | wrong | skipped
    std::optional<double> error;     // relative error ||out-ref|| / ||ref||
    std::optional<double> tolerance;
    std::string detail;
};

// Attributes of the GPU it ran on, as the driver gives them.
struct DeviceFacts {
    std::string name;  // "NVIDIA H200"
    std::string chip;  // CUPTI's chip name, "GH100"
    std::string vendor = "nvidia";
    int cc_major = 0, cc_minor = 0;
    int sm_count = 0;
    double clock_max_mhz = 0;
    double memory_clock_mhz = 0;
    int memory_bus_bits = 0;
    std::int64_t memory_bytes = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t smem_per_sm = 0, smem_per_block_optin = 0, smem_reserved_per_block = 0;
    int registers_per_sm = 0, threads_per_sm = 0, blocks_per_sm = 0, warp_size = 32;
    bool operator==(const DeviceFacts&) const = default;
};

struct Provenance {
    std::string kind;  // live | recording | imported | model
    std::string date, driver, cuda, cupti, kprof;
    DeviceFacts device;
    int passes = 0;                      // counter passes in all stages
    int repeats = 0;                     // timed repeats
    std::string cache;                   // cold | warm
    std::optional<double> clock_sm_mhz;  // while the kernel ran (counter), else NVML during
    std::optional<double> clock_before_mhz, clock_after_mhz;  // NVML
    std::optional<double> power_w, temperature_c;
    std::string throttle;             // NVML throttle reasons seen, comma separated; empty: none
    std::vector<std::string> stages;  // names of the counter stages collected
};

struct KernelProfile {
    KernelId kernel;
    Launch launch;
    int launches = 1;  // kernels that one run of this workload launches
    Provenance provenance;
    Measurement time = Measurement::missing("time", "ns", Status::not_collected, "not timed");
    // Raw counters by the vendor's name, for example "dram__bytes_read.sum". Kept so that an old file gives
    // better diagnoses with a newer kprof.
    MetricSet counters;
    std::optional<Work> work;
    Verification verification;
    std::vector<std::string> warnings;
    std::string failure;  // why this kernel could not be measured; empty when it could
};

}  // namespace kprof
