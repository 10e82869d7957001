#include "collect/cuda/device_facts.hpp"

#include <array>

#include "collect/cuda/driver.hpp"

namespace kprof {
namespace {

CUdevice device_at(int ordinal) {
    CUdevice device = 0;
    check(driver().device_get(&device, ordinal), "cuDeviceGet");
    return device;
}

int attribute(CUdevice device, CUdevice_attribute which) {
    int value = 0;
    return driver().device_get_attribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

}  // namespace

DeviceFacts device_facts(int ordinal) {
    const Driver& d = driver();
    const CUdevice device = device_at(ordinal);
    DeviceFacts facts;
    std::array<char, 256> name{};
    check(d.device_get_name(name.data(), static_cast<int>(name.size()), device), "cuDeviceGetName");
    facts.name = name.data();
    std::size_t bytes = 0;
    check(d.device_total_mem(&bytes, device), "cuDeviceTotalMem");
    facts.memory_bytes = static_cast<std::int64_t>(bytes);
    facts.cc_major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    facts.cc_minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    facts.sm_count = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    facts.clock_max_mhz = attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000.0;  // kHz
    facts.memory_clock_mhz = attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000.0;
    facts.memory_bus_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    facts.l2_bytes = attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    facts.smem_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    facts.smem_per_block_optin = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    facts.smem_reserved_per_block = attribute(device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    facts.registers_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    facts.threads_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    facts.blocks_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    facts.warp_size = attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    return facts;
}

std::string pci_bus_id(int ordinal) {
    std::array<char, 32> id{};
    const CUresult result =
        driver().device_get_pci_bus_id(id.data(), static_cast<int>(id.size()), device_at(ordinal));
    return result == CUDA_SUCCESS ? std::string(id.data()) : std::string();
}

bool mps_enabled(int ordinal) {
#if CUDA_VERSION >= 12080
    return attribute(device_at(ordinal), CU_DEVICE_ATTRIBUTE_MPS_ENABLED) == 1;
#else
    (void)ordinal;
    return false;
#endif
}

}  // namespace kprof
