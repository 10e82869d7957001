// Attributes of a GPU as the driver gives them.
#pragma once

#include <string>

#include "core/profile.hpp"

namespace kprof {

// Needs a usable driver (driver_state().usable); no context. `chip` stays empty: CUPTI knows it. Attributes
// that an old driver does not know stay 0.
DeviceFacts device_facts(int ordinal);

// "0000:1b:00.0", by which NVML knows the same GPU; CUDA's and NVML's numbering differ.
std::string pci_bus_id(int ordinal);

// Whether contexts on this GPU are shared through MPS; false when the driver does not say.
bool mps_enabled(int ordinal);

}  // namespace kprof
