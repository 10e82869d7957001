#include "core/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace kprof {

std::string demangled(const std::string& name) {
    constexpr std::size_t longest = 64 * 1024;  // template names grow to hundreds of kilobytes
    if (name.rfind("_Z", 0) != 0 || name.size() > longest) return name;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text ? text.get() : name;
}

}  // namespace kprof
