// Shared libraries opened at run time, so that one binary starts on machines that lack them.
#pragma once

#include <string>
#include <vector>

namespace kprof {

// A library that stays loaded: the driver and CUPTI keep threads and hooks, so closing them is not safe.
class DynamicLibrary {
  public:
    struct Search {
        std::vector<std::string> names;    // file names, best first: "libcupti.so.13"
        std::vector<std::string> folders;  // tried with each name after what the loader itself finds
        bool global = false;               // symbols visible to libraries loaded later
        bool toolkit = true;               // part of the CUDA toolkit: look in $CUDA_HOME too
    };
    // Looks first at what the process has loaded already, then in $CUDA_HOME and $CUDA_PATH (toolkit
    // libraries), then where the loader looks, then in `folders`. Never throws: see loaded() and tried().
    static DynamicLibrary open(const Search& search);

    bool loaded() const { return handle_ != nullptr; }
    const std::string& path() const { return path_; }  // the file that was loaded
    // Every attempt with the loader's answer, for error messages.
    const std::vector<std::string>& tried() const { return tried_; }
    // nullptr when the library has no such symbol.
    void* symbol(const char* name) const;

  private:
    bool attempt(const std::string& file, int flags, const std::string& what);

    void* handle_ = nullptr;
    std::string path_;
    std::vector<std::string> tried_;
};

// Folders where CUDA toolkits put their libraries.
std::vector<std::string> cuda_library_folders();

}  // namespace kprof
