#include "collect/environment.hpp"

#include <sys/klog.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/strings.hpp"

namespace kprof {
namespace {

// A missing or unreadable file is an empty text here: every fact has its own "not known".
std::string slurp(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    return text.str();
}

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

// "580.159.04" in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build ...": the first
// word that is digits and at least one dot. The words before it differ between the two kinds of module.
std::string driver_version(const std::string& text) {
    std::istringstream words(text.substr(0, text.find('\n')));
    std::string word;
    while (words >> word) {
        bool plain = contains(word, ".");
        for (const char c : word) {
            plain = plain && (c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0);
        }
        if (plain) return word;
    }
    return {};
}

std::optional<bool> admin_only(const std::string& params) {
    std::istringstream lines(params);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.rfind("RmProfilingAdminOnly:", 0) == 0) return trim(line.substr(line.find(':') + 1)) != "0";
    }
    return std::nullopt;
}

bool has_sys_admin(const std::string& status) {
    constexpr unsigned cap_sys_admin = 21;  // linux/capability.h
    std::istringstream lines(status);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.rfind("CapEff:", 0) != 0) continue;
        const std::string mask = trim(line.substr(7));
        return ((std::strtoull(mask.c_str(), nullptr, 16) >> cap_sys_admin) & 1U) != 0;
    }
    return false;
}

// gVisor answers with a fixed kernel version, and its log says so where it may be read.
bool in_gvisor(const std::string& version, bool ask_kernel_log) {
    if (contains(version, "gVisor") || contains(version, "4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016"))
        return true;
    if (!ask_kernel_log) return false;
    constexpr int read_all = 3;  // SYSLOG_ACTION_READ_ALL
    std::vector<char> log(1 << 14);
    const int got = klogctl(read_all, log.data(), static_cast<int>(log.size()));
    return got > 0 && contains({log.data(), static_cast<std::size_t>(got)}, "Starting gVisor");
}

}  // namespace

HostLook look_at_host(const std::string& root) {
    HostLook host;
    const std::string version = slurp(root + "/proc/version");
    host.driver = driver_version(slurp(root + "/proc/driver/nvidia/version"));
    host.admin_only = admin_only(slurp(root + "/proc/driver/nvidia/params"));
    host.sys_admin = has_sys_admin(slurp(root + "/proc/self/status"));
    host.wsl = contains(lower(version), "microsoft") || exists(root + "/dev/dxg");
    host.gvisor = in_gvisor(version, root.empty());
    host.container = exists(root + "/.dockerenv") || exists(root + "/run/.containerenv") ||
                     contains(slurp(root + "/proc/1/cgroup"), "kubepods");
    host.mps = (root.empty() && std::getenv("CUDA_MPS_PIPE_DIRECTORY") != nullptr) ||
               exists(root + "/tmp/nvidia-mps/control");
    return host;
}

std::string permission_remedy(const HostLook& host) {
    if (host.wsl) {
        return "WSL2: open the NVIDIA Control Panel on Windows, menu Desktop, Enable Developer Settings; "
               "then "
               "Developer, Manage GPU Performance Counters, and allow access to all users";
    }
    std::string text =
        "one of these:\n"
        "  run as root or with CAP_SYS_ADMIN (sudo kprof ...; docker run --cap-add=SYS_ADMIN ...; "
        "Kubernetes: "
        "securityContext.capabilities.add: [SYS_ADMIN])\n"
        "  allow every user, on the host: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo "
        "tee /etc/modprobe.d/kprof.conf; sudo update-initramfs -u; sudo reboot\n"
        "  on a rented machine: ask the provider, because the setting belongs to the host";
    if (host.gvisor) text += "; this is a gVisor sandbox, which must be started with profiling allowed";
    return text;
}

}  // namespace kprof
