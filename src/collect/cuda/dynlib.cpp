#include "collect/cuda/dynlib.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>

namespace kprof {
namespace {

std::vector<std::string> library_folders_under(const std::string& root) {
    return {root + "/lib64", root + "/targets/x86_64-linux/lib", root + "/targets/sbsa-linux/lib",
            root + "/extras/CUPTI/lib64", root + "/lib"};
}

std::string file_of(void* handle) {
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return {};
    return map->l_name == nullptr ? std::string() : std::string(map->l_name);
}

bool is_file(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

}  // namespace

std::vector<std::string> cuda_library_folders() {
    return library_folders_under("/usr/local/cuda");
}

bool DynamicLibrary::attempt(const std::string& file, int flags, const std::string& what) {
    handle_ = dlopen(file.c_str(), flags);
    if (handle_ != nullptr) {
        path_ = file_of(handle_);
        if (path_.empty()) path_ = file;
        return true;
    }
    const char* why = dlerror();  // starts with the name as a rule
    const std::string text = why == nullptr ? "not found" : why;
    tried_.push_back(text.rfind(what, 0) == 0 ? text : what + ": " + text);
    return false;
}

DynamicLibrary DynamicLibrary::open(const Search& search) {
    DynamicLibrary library;
    const int flags = RTLD_NOW | (search.global ? RTLD_GLOBAL : RTLD_LOCAL);
    for (const std::string& name : search.names) {
        library.handle_ = dlopen(name.c_str(), flags | RTLD_NOLOAD);
        if (library.handle_ != nullptr) {
            library.path_ = file_of(library.handle_);
            if (library.path_.empty()) library.path_ = name;
            return library;
        }
        dlerror();  // "not loaded yet" is no failure worth telling
    }
    std::vector<std::string> first;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* root = std::getenv(variable);
        if (!search.toolkit || root == nullptr || *root == '\0') continue;
        for (std::string& folder : library_folders_under(root)) first.push_back(std::move(folder));
    }
    const auto in_folders = [&](const std::vector<std::string>& folders) {
        for (const std::string& folder : folders) {
            for (const std::string& name : search.names) {
                const std::string file = folder + "/" + name;
                if (!is_file(file)) {
                    library.tried_.push_back(file + ": no such file");
                } else if (library.attempt(file, flags, file)) {
                    return true;
                }
            }
        }
        return false;
    };
    if (in_folders(first)) return library;
    for (const std::string& name : search.names) {
        if (library.attempt(name, flags, name)) return library;
    }
    in_folders(search.folders);
    return library;
}

void* DynamicLibrary::symbol(const char* name) const {
    return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace kprof
