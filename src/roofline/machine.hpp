// A GPU as the roofline sees it: ceilings with origin and source, SM limits, and the clocks they hold for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "core/profile.hpp"

namespace kprof {

struct Ceiling {
    std::string kind;      // "bandwidth" | "compute"
    std::string name;      // bandwidth: level "dram", "l2", "l1", "mall"; compute: precision "fp64", "fp32",
                           // "tf32", "bf16", ...
    std::string pipe;      // compute: "vector" | "tensor"; empty for bandwidth
    double value = 0;      // B/s or FLOP/s (OP/s for int8)
    std::string unit;      // "B/s" | "FLOP/s"
    std::string origin;    // datasheet | measured | derived
    std::string source;    // where the number comes from, for people
    std::string mark;      // "V" verified, "S" secondary source only, "U" unverified
    double clock_mhz = 0;  // SM clock the value holds for; 0: does not depend on the SM clock
    // Of measured ones: `value` is the median over the repeats, `clock_mhz` the clock held meanwhile (of
    // bandwidths too), `spread` half the interquartile range over the median, `best` the best repeat.
    std::string how = {};  // "copy, 16-byte accesses, 2 x 1 GiB"
    double spread = 0, best = 0;
    int repeats = 0;
    bool suspect = false;  // above what the published roof allows: shown, never used
};

// What starting an empty kernel costs, in ns; each is missing when it was not measured.
struct LaunchCosts {
    std::optional<double> host_ns;        // of the calling thread, per launch into a stream
    std::optional<double> stream_ns;      // start to start of kernels that lie ready in a stream
    std::optional<double> graph_node_ns;  // start to start of the nodes of a graph
    std::optional<double> graph_host_ns;  // of the calling thread, per node of a graph that is launched whole
};

// Bandwidth of reading one working set again and again, every SM its own.
struct WorkingSet {
    std::string access;  // "l1": loads may hit L1; "l2": loads pass it by
    std::int64_t bytes_per_sm = 0;
    double value = 0;  // B/s of all SMs
    double clock_mhz = 0, spread = 0;
};

// Limits of one SM (CU) for the occupancy sum.
struct SmLimits {
    int warp_size = 32, max_warps = 64, max_threads = 2048, max_blocks = 32;
    int max_threads_per_block = 1024;
    // "per_warp_granule" (NVIDIA): `registers` of the SM are given to warps in units of `register_granule`.
    // "per_simd_lanes" (AMD): `registers` are those of one lane of one SIMD, given to a wave's lanes in units
    // of `register_granule`.
    std::string registers_model = "per_warp_granule";
    int registers = 65536, register_granule = 256, max_registers_per_thread = 255;
    int warp_granule =
        4;          // warps are allocated in groups of the number of schedulers when registers are counted
    int sgprs = 0;  // scalar registers of one SIMD (AMD); 0: they do not limit
    std::int64_t smem = 0, smem_per_block_max = 0, smem_granule = 128, smem_reserved = 0;
    int schedulers = 4;
};

struct Machine {
    std::string id;      // "h200"
    std::string name;    // "NVIDIA H200 SXM"
    std::string vendor;  // "nvidia" | "amd"
    std::string arch;    // "hopper", "cdna3"
    std::string chip;    // "GH100", "gfx942"
    int sm_count = 0;
    double clock_mhz = 0;         // datasheet boost clock
    double clock_tensor_mhz = 0;  // clock of the tensor peak where it differs
    std::int64_t memory_bytes = 0, l2_bytes = 0;
    SmLimits sm;
    std::vector<Ceiling> ceilings;
    // From the config's "measured" section (kprof ceilings): several of one roof where it was measured in
    // several ways.
    std::vector<Ceiling> measured;
    LaunchCosts launch;
    std::vector<WorkingSet> working_sets;
    std::string measured_date, measured_gpu, measured_driver;  // of the last section read
    std::vector<std::string> match_names;  // substrings of the driver's device name, any of which matches
    std::vector<std::string> notes;
    // What a reader must know about this choice of machine: attributes that contradict its name, several
    // files that match, roofs that are derived. Filled by machine_for().
    std::vector<std::string> doubts;
    bool described = false;  // made from device attributes, not from a config

    // nullptr when the machine has no such ceiling. `pipe` "" takes the tensor pipe where there is one, else
    // vector.
    const Ceiling* bandwidth(const std::string& level) const;
    const Ceiling* compute(const std::string& precision, const std::string& pipe = "") const;
    // The same of what was measured: the highest of its kind that is not suspect.
    const Ceiling* measured_bandwidth(const std::string& level) const;
    const Ceiling* measured_compute(const std::string& precision, const std::string& pipe = "") const;
};

// All machines of configs/gpus (with arch defaults of configs/arch). A broken file is an Error(usage) naming
// file, line and field.
std::vector<Machine> load_machines(const ConfigStore& store);
Machine load_machine(const ConfigStore& store,
                     const std::string& id);  // unknown: Error(usage) with the nearest ids

// The config of the GPU that a profile was measured on, or a machine described from its attributes (clock,
// bus width, SM count; ceilings origin "derived"), or nothing when neither is known. SM count, memory and
// chip decide between configs of similar names (H100 SXM against PCIe). Machine::doubts says what is odd.
std::optional<Machine> machine_for(const ConfigStore& store, const DeviceFacts& device);

}  // namespace kprof
