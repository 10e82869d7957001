#include <fmt/format.h>

#include "roofline/arch.hpp"

namespace kprof {
namespace {

// What the driver says beats the architecture's usual value; 0 means that it did not say.
template <typename To, typename From>
void prefer(To& to, From from) {
    if (from > 0) to = static_cast<To>(from);
}

SmLimits limits(const DeviceFacts& d, const Arch* arch) {
    SmLimits sm = arch ? arch->sm : SmLimits{};
    prefer(sm.warp_size, d.warp_size);
    prefer(sm.max_threads, d.threads_per_sm);
    sm.max_warps = sm.max_threads / sm.warp_size;
    prefer(sm.max_blocks, d.blocks_per_sm);
    // The driver's register count of an AMD CU is that of the whole file, not of one lane.
    if (sm.registers_model == "per_warp_granule") prefer(sm.registers, d.registers_per_sm);
    prefer(sm.smem, d.smem_per_sm);
    prefer(sm.smem_per_block_max, d.smem_per_block_optin);
    prefer(sm.smem_reserved, d.smem_reserved_per_block);
    return sm;
}

std::string rate_unit(const ClockRate& r) {
    if (r.kind == "bandwidth") return "B";
    return r.name == "int8" ? "OP" : "FLOP";
}

}  // namespace

Machine describe(const DeviceFacts& d, const Arch* arch, const std::string& why) {
    Machine m;
    m.id = "device";
    m.name = d.name.empty() ? "unnamed GPU" : d.name;
    m.vendor = d.vendor;
    m.arch = arch ? arch->id : "";
    m.chip = d.chip;
    m.sm_count = d.sm_count;
    m.clock_mhz = d.clock_max_mhz;
    m.memory_bytes = d.memory_bytes;
    m.l2_bytes = d.l2_bytes;
    m.sm = limits(d, arch);
    m.described = true;
    if (!why.empty()) m.notes.push_back(why);

    if (d.memory_bus_bits > 0 && d.memory_clock_mhz > 0) {
        Ceiling c;
        c.kind = "bandwidth";
        c.name = "dram";
        // Double data rate: two transfers per memory clock, as the driver states that clock.
        c.value = d.memory_bus_bits / 8.0 * d.memory_clock_mhz * 1e6 * 2;
        c.unit = "B/s";
        c.origin = "derived";
        c.mark = "U";
        c.source =
            fmt::format("{} bit x {:g} MHz x 2, as the driver says", d.memory_bus_bits, d.memory_clock_mhz);
        m.ceilings.push_back(c);
    } else {
        m.notes.emplace_back("No DRAM roof: the memory's clock and bus width are not known.");
    }
    if (!arch || d.clock_max_mhz <= 0 || d.sm_count <= 0) {
        m.notes.emplace_back("No compute roofs: what one SM of this GPU does in one clock is not known.");
        return m;
    }
    for (const ClockRate& r : arch->rates) {
        Ceiling c;
        c.kind = r.kind;
        c.name = r.name;
        c.pipe = r.pipe;
        c.value = r.value * d.sm_count * d.clock_max_mhz * 1e6;
        c.unit = rate_unit(r) + "/s";
        c.origin = "derived";
        c.mark = r.mark;
        c.clock_mhz = d.clock_max_mhz;
        c.source = fmt::format("{} SMs x {:g} {}/clk x {:g} MHz, the highest clock; {}", d.sm_count, r.value,
                               rate_unit(r), d.clock_max_mhz, r.source);
        m.ceilings.push_back(c);
    }
    return m;
}

}  // namespace kprof
