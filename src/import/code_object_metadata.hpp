// The MessagePack note of a code object.
#pragma once

#include "import/bytes.hpp"
#include "import/code_object.hpp"

namespace kprof {

// `note` is the description of the NT_AMDGPU_METADATA note.
AmdCodeObject read_code_object_metadata(const Bytes& note);

}  // namespace kprof
