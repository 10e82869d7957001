#include "collect/environment.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace kprof {
namespace {

TEST(Environment, ReadsDriverParametersAndCapabilities) {
    const ScratchFolder root;
    root.write(
        "proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build  (x@y)\nGCC version: "
        "gcc 12.2\n");
    root.write("proc/driver/nvidia/params", "EnableMSI: 1\nRmProfilingAdminOnly: 1\nDmaRemapPeerMmio: 1\n");
    root.write("proc/self/status", "Name:\tkprof\nCapEff:\t00000000a82425fb\n");
    const HostLook host = look_at_host(root.path);
    EXPECT_EQ(host.driver, "580.159.04");
    EXPECT_EQ(host.admin_only, true);
    EXPECT_TRUE(host.sys_admin);  // bit 21 of a82425fb is set
    EXPECT_FALSE(host.wsl);
    EXPECT_FALSE(host.gvisor);
    EXPECT_FALSE(host.mps);
}

TEST(Environment, OpenKernelModuleAndFreeCounters) {
    const ScratchFolder root;
    root.write("proc/driver/nvidia/version",
               "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86  Release Build\n");
    root.write("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
    root.write("proc/self/status", "CapEff:\t00000000a80425fb\n");
    const HostLook host = look_at_host(root.path);
    EXPECT_EQ(host.driver, "570.86");
    EXPECT_EQ(host.admin_only, false);
    EXPECT_FALSE(host.sys_admin);
}

TEST(Environment, NothingThereIsUnknownNotFalse) {
    const ScratchFolder root;
    const HostLook host = look_at_host(root.path);
    EXPECT_EQ(host.driver, "");
    EXPECT_FALSE(host.admin_only.has_value());
}

TEST(Environment, KnowsWslGvisorContainerAndMps) {
    const ScratchFolder wsl;
    wsl.write("proc/version", "Linux version 5.15.133.1-microsoft-standard-WSL2 (root@x)\n");
    EXPECT_TRUE(look_at_host(wsl.path).wsl);
    EXPECT_NE(permission_remedy(look_at_host(wsl.path)).find("NVIDIA Control Panel"), std::string::npos);

    const ScratchFolder gvisor;
    gvisor.write("proc/version", "Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016\n");
    EXPECT_TRUE(look_at_host(gvisor.path).gvisor);
    EXPECT_NE(permission_remedy(look_at_host(gvisor.path)).find("gVisor"), std::string::npos);

    const ScratchFolder other;
    other.write(".dockerenv", "");
    other.write("tmp/nvidia-mps/control", "");
    EXPECT_TRUE(look_at_host(other.path).container);
    EXPECT_TRUE(look_at_host(other.path).mps);
}

TEST(Environment, RemedyNamesAllThreeWays) {
    const std::string text = permission_remedy(HostLook{});
    for (const char* part : {"CAP_SYS_ADMIN", "--cap-add=SYS_ADMIN", "NVreg_RestrictProfilingToAdminUsers=0",
                             "update-initramfs", "provider"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part;
    }
}

}  // namespace
}  // namespace kprof
