#include "kernels/support/library_search.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {

std::vector<std::string> library_candidates(const std::vector<std::string>& file_names,
                                            const std::vector<std::string>& roots) {
    std::vector<std::string> list;
    for (const std::string& name : file_names) {
        list.push_back(name);
        for (const std::string& root : roots) {
            for (const char* folder : {"/lib64/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"}) {
                list.push_back(root + folder + name);
            }
        }
    }
    return list;
}

std::vector<std::string> cuda_roots() {
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && *value != '\0') roots.emplace_back(value);
    }
    roots.emplace_back("/usr/local/cuda");
    return roots;
}

void* open_library(const std::string& what, const std::vector<std::string>& candidates,
                   const std::string& remedy) {
    for (const int mode : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL}) {
        for (const std::string& path : candidates) {
            if (void* handle = dlopen(path.c_str(), mode)) return handle;
        }
    }
    throw environment_error(what + " was not found; tried: " + join(candidates, ", "), remedy);
}

}  // namespace kprof
