#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/strings.hpp"
#include "roofline/arch.hpp"
#include "roofline/machine.hpp"
#include "roofline/machine_config.hpp"

namespace kprof {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool matches(const MachineConfig& config, const std::string& name) {
    const auto in_name = [&](const std::string& part) { return names_device(name, part); };
    const std::vector<std::string>& wanted = config.machine.match_names;
    return std::any_of(wanted.begin(), wanted.end(), in_name) &&
           std::none_of(config.exclude.begin(), config.exclude.end(), in_name);
}

// Why a config of the right name is still another board; empty when it fits. What is not known decides
// nothing.
std::string differs(const Machine& m, const DeviceFacts& d) {
    if (d.sm_count > 0 && d.sm_count != m.sm_count) {
        return fmt::format(
            "This device has {} SMs, the {} of configs/gpus/{}.json has {}: it is a partition or another "
            "board, so its roofs are derived from its own attributes.",
            d.sm_count, m.name, m.id, m.sm_count);
    }
    // The driver keeps some memory, and data sheets round: boards of one family differ by more than 15 %.
    if (d.memory_bytes > 0 && m.memory_bytes > 0) {
        const double ratio = static_cast<double>(d.memory_bytes) / static_cast<double>(m.memory_bytes);
        if (std::fabs(ratio - 1) > 0.15) {
            return fmt::format(
                "This device has {:.0f} GB of memory, the {} of configs/gpus/{}.json has {:.0f} GB: another "
                "board, so its roofs are derived from its own attributes.",
                static_cast<double>(d.memory_bytes) / 1e9, m.name, m.id,
                static_cast<double>(m.memory_bytes) / 1e9);
        }
    }
    return {};
}

}  // namespace

bool names_device(const std::string& name, const std::string& part) {
    const std::string text = lower(name), word = lower(part);
    if (word.empty()) return false;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

std::optional<Machine> machine_for(const ConfigStore& store, const DeviceFacts& device) {
    const std::vector<Arch> archs = load_archs(store);
    std::string why;
    for (MachineConfig& config : load_machine_configs(store, archs)) {
        if (!matches(config, device.name)) continue;
        std::string difference = differs(config.machine, device);
        if (difference.empty()) return std::move(config.machine);
        if (why.empty()) why = std::move(difference);
    }
    const Arch* arch = arch_of(archs, device);
    if (device.sm_count <= 0 && !arch) return std::nullopt;
    if (why.empty()) {
        why = "No file in configs/gpus matches '" + device.name +
              "': its roofs are derived from its attributes.";
    }
    return describe(device, arch, why);
}

}  // namespace kprof
