// A machine's config file as read: the machine, and what only the choice between files needs.
#pragma once

#include <string>
#include <vector>

#include "core/config_store.hpp"
#include "roofline/arch.hpp"
#include "roofline/machine.hpp"

namespace kprof {

struct MachineConfig {
    Machine machine;
    std::vector<std::string> exclude;  // words that must not be in the device's name ("NVL")
};

std::vector<MachineConfig> load_machine_configs(const ConfigStore& store, const std::vector<Arch>& archs);

// Whether `part` stands in `name` as whole words: "H200" is in "NVIDIA H200", not in "NVIDIA GH200 480GB".
bool names_device(const std::string& name, const std::string& part);

}  // namespace kprof
