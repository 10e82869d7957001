// A small machine with the kinds of roofs that differ: with a clock, without one, and none at all.
#pragma once

#include <string>

#include "roofline/machine.hpp"

namespace kprof::test {

inline Ceiling roof(const std::string& kind, const std::string& name, const std::string& pipe, double value,
                    double clock_mhz, const std::string& how = "") {
    Ceiling c;
    c.kind = kind;
    c.name = name;
    c.pipe = pipe;
    c.value = value;
    c.unit = kind == "bandwidth" ? "B/s" : name == "int8" || pipe == "xu" ? "OP/s" : "FLOP/s";
    c.clock_mhz = clock_mhz;
    c.how = how;
    c.origin = how.empty() ? "datasheet" : "measured";
    c.mark = "V";
    c.source = "a test";
    return c;
}

inline Machine machine() {
    Machine m;
    m.id = "b200";  // any id of configs/gpus
    m.name = "NVIDIA GPU of a test";
    m.vendor = "nvidia";
    m.arch = "hopper";
    m.chip = "GH100";
    m.sm_count = 132;
    m.clock_mhz = 1980;
    m.ceilings = {roof("bandwidth", "dram", "", 4.8e12, 0), roof("bandwidth", "l1", "", 33.4e12, 1980),
                  roof("compute", "bf16", "tensor", 989.4e12, 1830)};
    return m;
}

}  // namespace kprof::test
