#include "collect/workload.hpp"

#include <fmt/format.h>

namespace kprof {

std::string missing_on(const ChipNeeds& needs, const std::string& kernel, const DeviceFacts& device) {
    if (needs.cc_major == 0) return {};
    if (device.cc_major == needs.cc_major && device.cc_minor == needs.cc_minor) return {};
    return fmt::format("{} needs compute capability {}.{} ({}), this GPU has {}.{}", kernel, needs.cc_major,
                       needs.cc_minor, needs.what, device.cc_major, device.cc_minor);
}

}  // namespace kprof
