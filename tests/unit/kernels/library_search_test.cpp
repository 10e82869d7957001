#include "kernels/support/library_search.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

namespace kprof {
namespace {

TEST(LibrarySearch, TriesTheLoaderThenEachInstallationNewestFirst) {
    const auto list = library_candidates({"libx.so.2", "libx.so.1"}, {"/opt/cuda"});
    EXPECT_EQ(
        list,
        (std::vector<std::string>{
            "libx.so.2", "/opt/cuda/lib64/libx.so.2", "/opt/cuda/targets/x86_64-linux/lib/libx.so.2",
            "/opt/cuda/targets/sbsa-linux/lib/libx.so.2", "libx.so.1", "/opt/cuda/lib64/libx.so.1",
            "/opt/cuda/targets/x86_64-linux/lib/libx.so.1", "/opt/cuda/targets/sbsa-linux/lib/libx.so.1"}));
}

TEST(LibrarySearch, CudaHomeComesBeforeTheDefault) {
    const char* before = std::getenv("CUDA_HOME");
    const std::string saved = before != nullptr ? before : "";
    setenv("CUDA_HOME", "/somewhere/cuda", 1);
    const auto roots = cuda_roots();
    if (before != nullptr) {
        setenv("CUDA_HOME", saved.c_str(), 1);
    } else {
        unsetenv("CUDA_HOME");
    }
    EXPECT_EQ(roots.front(), "/somewhere/cuda");
    EXPECT_EQ(roots.back(), "/usr/local/cuda");
}

TEST(LibrarySearch, OpensTheFirstThatIsThere) {
    void* handle = open_library("the C library", {"/nowhere/libc.so.6", "libc.so.6"}, "");
    ASSERT_NE(handle, nullptr);
    EXPECT_NE(dlsym(handle, "strlen"), nullptr);
    dlclose(handle);
}

TEST(LibrarySearch, AMissingLibraryListsEveryPathAndTheRemedy) {
    try {
        open_library("cuBLAS", {"/nowhere/libcublas.so.13", "/nowhere/libcublas.so.12"}, "install cuBLAS");
        FAIL() << "nothing was thrown";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::environment);
        const std::string what = e.what();
        EXPECT_NE(what.find("/nowhere/libcublas.so.13"), std::string::npos) << what;
        EXPECT_NE(what.find("/nowhere/libcublas.so.12"), std::string::npos) << what;
        EXPECT_EQ(e.hint(), "install cuBLAS");
    }
}

}  // namespace
}  // namespace kprof
