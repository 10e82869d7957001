// What /proc and the environment say about profiling on this machine, without touching a GPU.
#pragma once

#include <optional>
#include <string>

namespace kprof {

struct HostLook {
    std::string driver;              // kernel driver, "580.159.04"; empty: no NVIDIA kernel module
    std::optional<bool> admin_only;  // RmProfilingAdminOnly; empty: not readable
    bool sys_admin = false;          // this process has CAP_SYS_ADMIN
    bool wsl = false;
    bool gvisor = false;
    bool container = false;
    bool mps = false;  // an MPS control daemon's pipe, or its environment variable
};

// `root` is put before every path (tests give a folder of their own; "" is the real system).
HostLook look_at_host(const std::string& root = "");

// What to do about restricted counters on that machine; each remedy on a line of its own.
std::string permission_remedy(const HostLook& host);

}  // namespace kprof
