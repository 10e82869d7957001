#include "roofline/arch.hpp"

#include <algorithm>
#include <filesystem>

#include "core/json.hpp"
#include "roofline/config_fields.hpp"

namespace kprof {
namespace {

void read_limits(const JsonCursor& c, SmLimits& sm) {
    c.only({"warp_size", "max_warps", "max_threads", "max_threads_per_block", "max_blocks", "schedulers",
            "registers", "registers_model", "register_granule", "warp_granule", "max_registers_per_thread",
            "sgprs", "smem", "smem_per_block_max", "smem_granule", "smem_reserved", "mark", "source"});
    const auto number = [&](const char* key, int& to) {
        if (c.has(key)) to = fields::positive_int(c.at(key));
    };
    number("warp_size", sm.warp_size);
    number("max_warps", sm.max_warps);
    number("max_threads", sm.max_threads);
    number("max_threads_per_block", sm.max_threads_per_block);
    number("max_blocks", sm.max_blocks);
    number("schedulers", sm.schedulers);
    number("registers", sm.registers);
    number("register_granule", sm.register_granule);
    number("warp_granule", sm.warp_granule);
    number("max_registers_per_thread", sm.max_registers_per_thread);
    number("sgprs", sm.sgprs);
    if (c.has("registers_model")) {
        const JsonCursor model = c.at("registers_model");
        sm.registers_model = model.string();
        if (sm.registers_model != "per_warp_granule" && sm.registers_model != "per_simd_lanes") {
            model.fail("must be \"per_warp_granule\" or \"per_simd_lanes\"");
        }
    }
    if (c.has("smem")) sm.smem = fields::positive_integer(c.at("smem"));
    if (c.has("smem_per_block_max")) {
        sm.smem_per_block_max = fields::positive_integer(c.at("smem_per_block_max"));
    }
    if (c.has("smem_granule")) sm.smem_granule = fields::positive_integer(c.at("smem_granule"));
    if (c.has("smem_reserved")) {
        sm.smem_reserved = c.at("smem_reserved").integer();
        if (sm.smem_reserved < 0) c.at("smem_reserved").fail("must not be negative");
    }
    fields::mark(c.at("mark"));
    fields::filled(c.at("source"));
}

ClockRate read_rate(const JsonCursor& c) {
    c.only({"kind", "name", "pipe", "value", "mark", "source"});
    ClockRate r;
    r.kind = c.at("kind").string();
    r.name = fields::filled(c.at("name"));
    if (r.kind == "compute") {
        r.pipe = c.at("pipe").string();
        if (r.pipe != "vector" && r.pipe != "tensor") c.at("pipe").fail("must be \"vector\" or \"tensor\"");
    } else if (r.kind != "bandwidth") {
        c.at("kind").fail("must be \"bandwidth\" or \"compute\"");
    }
    r.value = fields::positive(c.at("value"));
    r.mark = fields::mark(c.at("mark"));
    r.source = fields::filled(c.at("source"));
    return r;
}

bool holds(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

std::vector<Arch> load_archs(const ConfigStore& store) {
    std::vector<Arch> archs;
    for (const std::string& path : store.list("arch")) {
        Arch arch;
        const std::string stem = std::filesystem::path(path).stem().string();
        for (const JsonDocument& document : store.layered(path)) {
            const JsonCursor c = document.root();
            c.only({"id", "vendor", "compute_capabilities", "chips", "sm", "per_clock"});
            arch.id = c.at("id").string();
            if (arch.id != stem) c.at("id").fail("must be the file's name, \"" + stem + "\"");
            arch.vendor = c.string_or("vendor", arch.vendor);
            if (c.has("compute_capabilities")) {
                arch.compute_capabilities = c.at("compute_capabilities").strings();
            }
            if (c.has("chips")) arch.chips = c.at("chips").strings();
            if (c.has("sm")) read_limits(c.at("sm"), arch.sm);
            if (!c.has("per_clock")) continue;
            for (const JsonCursor& item : c.at("per_clock").items()) {
                const ClockRate rate = read_rate(item);
                std::erase_if(arch.rates, [&](const ClockRate& r) {
                    return r.kind == rate.kind && r.name == rate.name && r.pipe == rate.pipe;
                });
                arch.rates.push_back(rate);
            }
        }
        archs.push_back(std::move(arch));
    }
    return archs;
}

const Arch* arch_of(const std::vector<Arch>& archs, const DeviceFacts& device) {
    if (device.cc_major > 0) {
        const std::string cc = std::to_string(device.cc_major) + "." + std::to_string(device.cc_minor);
        for (const Arch& a : archs) {
            if (holds(a.compute_capabilities, cc)) return &a;
        }
    }
    for (const Arch& a : archs) {
        if (!device.chip.empty() && holds(a.chips, device.chip)) return &a;
    }
    return nullptr;
}

}  // namespace kprof
