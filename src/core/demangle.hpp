// C++ names for people.
#pragma once

#include <string>

namespace kprof {

// "_Z3addPf" -> "add(float*)"; what is no mangled name is returned as it is.
std::string demangled(const std::string& name);

}  // namespace kprof
