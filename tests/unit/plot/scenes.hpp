// Machines and points that the plot tests draw.
#pragma once

#include <map>
#include <string>

#include "core/config_store.hpp"
#include "plot/scene.hpp"

namespace kprof::test {

// Read once: the tests draw thousands of scenes.
inline const Machine& machine(const std::string& id) {
    static std::map<std::string, Machine> machines;
    if (machines.empty()) {
        for (const Machine& m :
             load_machines(ConfigStore::open(std::string(KPROF_SOURCE_DIR) + "/configs"))) {
            machines[m.id] = m;
        }
    }
    return machines.at(id);
}
inline const Machine& h200() {
    return machine("h200");
}

inline RooflinePoint point(const std::string& precision, const std::string& pipe, double intensity,
                           double performance) {
    RooflinePoint p;
    p.machine = "h200";
    p.level = "dram";
    p.precision = precision;
    p.pipe = pipe;
    p.intensity = intensity;
    p.performance = performance;
    p.bandwidth_roof = 4.8e12;
    return p;
}
inline RooflinePoint naive() {
    return point("fp32", "vector", 16.5, 6.0e12);
}
inline RooflinePoint cublas() {
    return point("bf16", "tensor", 1100, 790e12);
}

}  // namespace kprof::test
