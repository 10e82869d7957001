#include "collect/cuda/launch_facts.hpp"

#include <array>
#include <optional>

#include "collect/cuda/driver.hpp"
#include "core/demangle.hpp"

namespace kprof {
namespace {

constexpr std::array<CUpti_CallbackId, 6> launch_calls = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
};

template <class Params>  // any of the structures that hold grid, block and shared memory
void read_geometry(const Params& p, Launch& launch) {
    launch.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
    launch.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
    launch.smem_dynamic = static_cast<std::int64_t>(p.sharedMemBytes);
}

LaunchCapture::Seen read_launch(CUpti_CallbackId call, const CUpti_CallbackData& data) {
    LaunchCapture::Seen seen;
    if (data.symbolName != nullptr) seen.mangled = data.symbolName;
    switch (call) {
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {  // both have the same layout
            const auto& p = *static_cast<const cuLaunchKernel_params*>(data.functionParams);
            seen.function = p.f;
            read_geometry(p, seen.launch);
            break;
        }
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
        case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
            const auto& p = *static_cast<const cuLaunchCooperativeKernel_params*>(data.functionParams);
            seen.function = p.f;
            read_geometry(p, seen.launch);
            break;
        }
        default: {
            const auto& p = *static_cast<const cuLaunchKernelEx_params*>(data.functionParams);
            seen.function = p.f;
            if (p.config == nullptr) break;
            read_geometry(*p.config, seen.launch);
            for (unsigned i = 0; i < p.config->numAttrs; ++i) {
                const CUlaunchAttribute& attribute = p.config->attrs[i];
                if (attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
                const auto& c = attribute.value.clusterDim;
                seen.launch.cluster = {c.x, c.y, c.z};
            }
        }
    }
    return seen;
}

// Called by CUPTI inside the launch call: nothing may be thrown through it.
void CUPTIAPI on_launch(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId call,
                        const void* raw) noexcept {
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API || raw == nullptr) return;
    const auto& data = *static_cast<const CUpti_CallbackData*>(raw);
    if (data.callbackSite != CUPTI_API_ENTER || data.functionParams == nullptr) return;
    try {
        static_cast<std::vector<LaunchCapture::Seen>*>(user)->push_back(read_launch(call, data));
    } catch (...) {  // out of memory: that launch stays unknown
    }
}

std::optional<int> attribute(CUfunction function, CUfunction_attribute which) {
    int value = 0;
    if (driver().func_get_attribute(&value, which, function) != CUDA_SUCCESS) return std::nullopt;
    return value;
}

// The runtime may launch a CUkernel in place of a CUfunction: the handle that attributes can be asked of, or
// null.
CUfunction usable_function(CUfunction handle) {
    if (handle == nullptr) return nullptr;
    if (attribute(handle, CU_FUNC_ATTRIBUTE_NUM_REGS)) return handle;
    CUfunction function = nullptr;
    if (driver().kernel_get_function(&function, reinterpret_cast<CUkernel>(handle)) != CUDA_SUCCESS ||
        !attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS)) {
        return nullptr;
    }
    return function;
}

void add_attributes(CUfunction handle, Launch& launch) {
    const CUfunction function = usable_function(handle);
    if (function == nullptr) return;
    launch.registers = attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    if (const auto bytes = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES))
        launch.smem_static = *bytes;
    if (const auto bytes = attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES))
        launch.local_bytes = *bytes;
    // A cluster that the code itself requires (__cluster_dims__) is no launch attribute.
    const auto width = attribute(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH).value_or(0);
    const auto height = attribute(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT).value_or(0);
    const auto depth = attribute(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH).value_or(0);
    if (width > 0 && height > 0 && depth > 0) {
        launch.cluster = {static_cast<unsigned>(width), static_cast<unsigned>(height),
                          static_cast<unsigned>(depth)};
    }
    int blocks = 0;
    if (driver().occupancy_blocks(&blocks, function, static_cast<int>(launch.threads_per_block()),
                                  static_cast<std::size_t>(launch.smem_dynamic.value_or(0))) ==
        CUDA_SUCCESS) {
        launch.driver_blocks_per_sm = blocks;
    }
}

}  // namespace

LaunchCapture::LaunchCapture() {
    driver();  // CUPTI needs an initialised driver
    check(cupti().subscribe(&subscriber_, on_launch, &seen_), "cuptiSubscribe");
}

LaunchCapture::~LaunchCapture() {
    cupti_state().table.unsubscribe(subscriber_);
}

std::vector<LaunchFacts> LaunchCapture::capture(const std::function<void()>& launch) {
    const CuptiApi& api = cupti();
    const auto switch_callbacks = [&](std::uint32_t on) {
        CUptiResult first = CUPTI_SUCCESS;
        for (const CUpti_CallbackId call : launch_calls) {
            const CUptiResult result = api.enable_callback(on, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, call);
            if (first == CUPTI_SUCCESS) first = result;
        }
        return first;
    };
    seen_.clear();
    try {
        check(switch_callbacks(1), "cuptiEnableCallback");
        launch();
        check(driver().ctx_synchronize(), "cuCtxSynchronize");
    } catch (...) {
        switch_callbacks(0);
        throw;
    }
    switch_callbacks(0);
    std::vector<LaunchFacts> facts;
    facts.reserve(seen_.size());
    for (const Seen& s : seen_) {
        facts.push_back({s.mangled, demangled(s.mangled), s.launch});
        add_attributes(s.function, facts.back().launch);
    }
    seen_.clear();
    return facts;
}

}  // namespace kprof
