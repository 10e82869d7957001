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
    // AMD's tools put target features behind the chip: "gfx942:sramecc+:xnack-".
    const std::string chip = lower(d.chip.substr(0, d.chip.find(':')));
    if (!chip.empty() && !m.chip.empty() && chip != lower(m.chip)) {
        return fmt::format(
            "This device is called '{}' but has the chip {}, the {} of configs/gpus/{}.json has {}: its "
            "roofs "
            "are derived from its own attributes.",
            d.name, d.chip, m.name, m.id, m.chip);
    }
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

// A chip of one architecture with the compute capability of another: limits and rates follow the latter, and
// one of the two is wrong.
std::string contradiction(const std::vector<Arch>& archs, const DeviceFacts& device) {
    DeviceFacts by_chip;
    by_chip.chip = device.chip;
    const Arch* of_chip = arch_of(archs, by_chip);
    const Arch* of_device = arch_of(archs, device);
    if (of_chip == nullptr || of_device == nullptr || of_chip == of_device) return {};
    return fmt::format(
        "The chip {} is of the architecture {}, the compute capability {}.{} of {}: one of the "
        "two is wrong.",
        device.chip, of_chip->id, device.cc_major, device.cc_minor, of_device->id);
}

// The first file that fits wins; others that fit as well are a doubt, as no attribute decides between them.
std::optional<Machine> configured(std::vector<MachineConfig> configs, const DeviceFacts& device,
                                  std::string& why_not) {
    std::optional<Machine> chosen;
    std::vector<std::string> others;
    for (MachineConfig& config : configs) {
        if (!matches(config, device.name)) continue;
        std::string difference = differs(config.machine, device);
        if (!difference.empty()) {
            if (why_not.empty()) why_not = std::move(difference);
        } else if (chosen) {
            others.push_back("gpus/" + config.machine.id + ".json");
        } else {
            chosen = std::move(config.machine);
        }
    }
    if (chosen && !others.empty()) {
        chosen->doubts.push_back(
            fmt::format("'{}' matches more than one file: gpus/{}.json was taken, {} {} as well. Make their "
                        "'match' or 'exclude' more precise.",
                        device.name, chosen->id, join(others, ", "), others.size() == 1 ? "fits" : "fit"));
    }
    return chosen;
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
    const std::string odd = contradiction(archs, device);
    std::string why;
    std::optional<Machine> known = configured(load_machine_configs(store, archs), device, why);
    if (known) {
        if (!odd.empty()) known->doubts.push_back(odd);
        return known;
    }
    const Arch* arch = arch_of(archs, device);
    if (device.sm_count <= 0 && !arch) return std::nullopt;
    if (why.empty()) {
        why = (device.name.empty() ? "The GPU has no name"
                                   : "No file in configs/gpus matches '" + device.name + "'") +
              std::string(": its roofs are derived from its attributes.");
    }
    Machine described = describe(device, arch, why);
    described.doubts.push_back(why);
    if (!odd.empty()) described.doubts.push_back(odd);
    return described;
}

}  // namespace kprof
